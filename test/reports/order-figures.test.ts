import { randomUUID } from "node:crypto";
import { journalKinds, orderStatuses } from "@keepsats/domain";
import type { LoanState } from "@keepsats/protocol";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Figures } from "../../apps/server/src/modules/reports/figures.ts";
import { createFigures } from "../../apps/server/src/modules/reports/order-figures.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { DAY, HOUR, MINUTE } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds, type UsedDatabase, useDatabase } from "../harness/databases.ts";
import { dayAfter, localDay, localTime, timeZonesOfTests } from "../harness/local-time.ts";
import { plansOf } from "../harness/watched-database.ts";

/** The time of all tests: noon of a day. */
const now = Date.parse("2026-11-23T12:00:00Z");

const clockOf = (timeZone: string, time = now) => ({ now: () => time, timeZone: () => timeZone });
const inUtc = clockOf("UTC");
const readUncached = ({ db }: Pick<Database, "db">, clock: typeof inUtc) =>
  createFigures(db, clock, { keepFigures: 0 })();

const paid = ["PaymentProcessed", "Shipped", "Delivered"];
const noMoney = ["transferred", "kept", "waived", "written-off"];

type Row = Readonly<Record<string, string | number | null>>;
type TimedRow = Row & { readonly time: string };

/** Counts every order and loan of the shop, with code that shares nothing with the server's. */
async function recount({ db }: Pick<Database, "db">, timeZone: string): Promise<Figures> {
  const timed = async (text: string) => {
    const { rows } = await sql.raw<Row>(text).execute(db);
    return rows.map((row): TimedRow => ({ ...row, time: localTime(Number(row.at), timeZone) }));
  };
  const orders = await timed("SELECT id, status, created_at AS at FROM orders");
  const events = await timed("SELECT order_id, to_status, at FROM order_events ORDER BY version");
  const eventsOf = Map.groupBy(events, ({ order_id }) => order_id);
  const entries = (
    await timed(`SELECT kind, at, CASE WHEN kind = 'refunded' THEN -amount ELSE amount END AS amount
      FROM journal WHERE currency = 'USD'`)
  ).filter(({ kind }) => !noMoney.includes(String(kind)));
  const payments = await timed(`SELECT o.created_at AS at, e.at - o.created_at AS wait
    FROM orders o JOIN order_events e ON e.order_id = o.id
    WHERE e.to_status = 'PaymentProcessed' AND e.from_status <> e.to_status`);
  const loans = await timed("SELECT state, bound_at AS at FROM loans");

  /** Texts of times have the order of the times, except in the hour before clocks are set back. */
  const within = (rows: readonly TimedRow[], from: string, before: string) =>
    rows.filter(({ time }) => time >= from && time < before);
  const moneyWithin = (from: string, before: string) =>
    within(entries, from, before).reduce((sum, { amount }) => sum + Number(amount), 0);
  const today = localDay(now, timeZone);
  const tomorrow = dayAfter(today, 1);
  const first = dayAfter(today, -29);
  const recent = within(payments, first, "9");
  const boundIn = (state: LoanState) =>
    within(loans, first, "9").filter((loan) => loan.state === state).length;
  const bounds = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, undefined];
  const names = new Set([
    ...orderStatuses,
    ...orders.map(({ status }) => String(status)).toSorted(),
  ]);
  return {
    to_ship: orders.filter(({ status }) => status === "PaymentProcessed").length,
    orders_by_status: [...names].map((status) => ({
      status,
      orders: orders.filter((order) => order.status === status).length,
    })),
    days: Array.from({ length: 30 }, (_, n) => {
      const day = dayAfter(first, n);
      const placed = within(orders, day, dayAfter(day, 1));
      return {
        day,
        placed: placed.length,
        paid: placed.filter(({ status }) => paid.includes(String(status))).length,
        paid_amount: moneyWithin(day, dayAfter(day, 1)),
      };
    }),
    periods: ([1, 7, 30] as const).map((length) => {
      const start = dayAfter(today, 1 - length);
      const before = dayAfter(start, -length);
      const time = localTime(now, timeZone).slice(today.length);
      const end = `${dayAfter(today, -length)}${time}`;
      return {
        days: length,
        orders: within(orders, start, tomorrow).length,
        orders_before: within(orders, before, end).length,
        revenue: moneyWithin(start, tomorrow),
        revenue_before: moneyWithin(before, end),
        to_ship_before: within(orders, "", start).filter(({ id }) => {
          const last = within(eventsOf.get(id) ?? [], "", start).at(-1);
          return last?.to_status === "PaymentProcessed";
        }).length,
      };
    }),
    order_to_payment: bounds.map((bound, n) => ({
      within: bound ?? null,
      orders: recent.filter(
        ({ wait }) =>
          Number(wait) > (bounds[n - 1] ?? Number.NEGATIVE_INFINITY) &&
          Number(wait) <= (bound ?? Number.POSITIVE_INFINITY),
      ).length,
    })),
    loans: {
      active: boundIn("active"),
      paid_out: boundIn("paid-out"),
      ended: boundIn("ended"),
      unknown: boundIn("unknown"),
    },
  };
}

/** One thing that happens to a shop. `which`: the order or the loan that it happens to. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant("placed" as const),
    ago: fc.integer({ min: 0, max: 40 * DAY }),
    total: fc.integer({ min: 0, max: 100_000 }),
  }),
  fc.record({
    kind: fc.constant("moved" as const),
    which: fc.nat(),
    to: fc.constantFrom(...orderStatuses, "Lost"),
    wait: fc.constantFrom(-5, 0, MINUTE, MINUTE + 1, HOUR, 6 * HOUR, 3 * DAY, 20 * DAY),
  }),
  fc.record({
    kind: fc.constant("noted" as const),
    which: fc.nat(),
  }),
  fc.record({
    kind: fc.constant("journaled" as const),
    which: fc.nat(),
    entry: fc.constantFrom(...journalKinds),
    amount: fc.integer({ min: -100_000, max: 100_000 }),
    currency: fc.constantFrom("USD", "USD", "Eur"),
    ago: fc.integer({ min: 0, max: 40 * DAY }),
  }),
  fc.record({
    kind: fc.constant("bound" as const),
    which: fc.nat(),
    state: fc.constantFrom("active" as const, "paid-out" as const),
  }),
  fc.record({
    kind: fc.constant("changed" as const),
    which: fc.nat(),
    state: fc.constantFrom(
      "active" as const,
      "paid-out" as const,
      "ended" as const,
      "unknown" as const,
    ),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A shop to which steps happen. */
function history(shop: UsedDatabase) {
  const orders: {
    id: string;
    created_at: number;
    updated_at: number;
    status: string;
    version: number;
  }[] = [];
  const paid = new Set<string>();
  const loans: string[] = [];
  let loanNumber = 0;
  const pick = <T>(from: readonly T[], which: number): T | undefined =>
    from[which % Math.max(1, from.length)];

  // Not by `testDatabase.run`, which connects for each statement.
  const run = (text: string) => sql.raw(text).execute(shop.database.db);

  async function addEvent(order: (typeof orders)[number], to: string, at: number): Promise<void> {
    order.version += 1;
    order.updated_at = Math.max(order.updated_at, at);
    const paidAt = to === "PaymentProcessed" && order.status !== to ? `, paid_at = ${at}` : "";
    await run(`INSERT INTO order_events (order_id, version, from_status, to_status, kind, by, reason, at)
      VALUES ('${order.id}', ${order.version}, '${order.status}', '${to}', '${to === order.status ? "noted" : "moved"}', 'merchant', NULL, ${at})`);
    await run(
      `UPDATE orders SET status = '${to}', version = ${order.version}, updated_at = ${order.updated_at} ${paidAt} WHERE id = '${order.id}'`,
    );
    order.status = to;
  }

  return async (one: Step): Promise<void> => {
    if (one.kind === "placed") {
      const { id, created_at } = await shop.stored({
        created_at: now - one.ago,
        total_price: one.total,
        status: "Pending",
      });
      orders.push({ id, created_at, updated_at: created_at, status: "Pending", version: 1 });
      return;
    }
    if (one.kind === "changed") {
      const loan = pick(loans, one.which);
      if (loan !== undefined)
        await run(`UPDATE loans SET state = '${one.state}' WHERE id = '${loan}'`);
      return;
    }
    const order = pick(orders, one.which);
    if (order === undefined) return;
    switch (one.kind) {
      case "moved":
        // No order is paid a second time: none that is paid waits for money again.
        if (order.status === one.to || (one.to === "PaymentProcessed" && paid.has(order.id)))
          return;
        if (one.to === "PaymentProcessed") paid.add(order.id);
        return addEvent(order, one.to, order.created_at + one.wait);
      case "noted":
        return addEvent(order, order.status, order.created_at + DAY);
      case "journaled":
        await run(`INSERT INTO journal (id, order_id, kind, amount, unknown, currency, at, by_name)
          VALUES ('${randomUUID()}', '${order.id}', '${one.entry}', ${one.amount}, 0, '${one.currency}', ${now - one.ago}, 'provider')`);
        return;
      case "bound":
        loanNumber += 1;
        loans.push(`loan-${order.id}-${loanNumber}`);
        await run(`INSERT INTO loans (id, order_id, provider_status, state, currency, bound_at, updated_at)
          VALUES ('${loans.at(-1)}', '${order.id}', 'x', '${one.state}', 'USD', ${order.created_at}, 1)`);
        return;
    }
  };
}

describe.each(databaseKinds)("the figures on $name", (kind) => {
  const shop = useDatabase(kind);

  test("equal a recount after any history, in any time zone", async () => {
    const runs = kind.name === "SQLite" ? 25 : 10;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(...timeZonesOfTests),
        async (steps, timeZone) => {
          const happen = history(shop);
          for (const one of steps) await happen(one);
          const { database } = shop;
          expect(await readUncached(database, clockOf(timeZone))).toEqual(
            await recount(database, timeZone),
          );
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test("are counted once for concurrent calls and those of the next seconds, and again after a failure", async () => {
    const { db } = shop.database;
    const placed = async (figures: () => Promise<Figures>) =>
      (await figures()).days.at(-1)?.placed ?? 0;
    const kept = createFigures(db, inUtc, { keepFigures: 60_000 });
    const [one, other] = await Promise.all([kept(), kept()]);
    expect(other).toBe(one);
    const before = await placed(kept);
    await shop.stored({ created_at: now });
    expect(await placed(kept)).toBe(before);
    const unkept = createFigures(db, inUtc, { keepFigures: 0 });
    expect(await placed(unkept)).toBe(before + 1);
    await db.schema.alterTable("loans").renameTo("away").execute();
    await expect(unkept()).rejects.toThrow("loans");
    await db.schema.alterTable("away").renameTo("loans").execute();
    expect(await placed(unkept)).toBe(before + 1);
  });

  test("are counted again at midnight, and when the time zone changes", async () => {
    const shown = { time: Date.parse("2031-05-01T23:59:59Z"), timeZone: "UTC" };
    await shop.stored({ created_at: shown.time - MINUTE });
    const clock = { now: () => shown.time, timeZone: () => shown.timeZone };
    const figures = createFigures(shop.database.db, clock, { keepFigures: 60_000 });
    const ofToday = async () => {
      const [{ orders, orders_before } = { orders: 0, orders_before: 0 }] = (await figures())
        .periods;
      return { orders, orders_before };
    };
    expect(await ofToday()).toEqual({ orders: 1, orders_before: 0 });
    shown.time += DAY;
    expect(await ofToday()).toEqual({ orders: 0, orders_before: 1 });
    shown.timeZone = "Pacific/Apia";
    shown.time -= DAY - MINUTE;
    expect(await ofToday()).toEqual({ orders: 1, orders_before: 0 });
  });

  test("are read without a full table scan", async () => {
    // In a small table SQLite prefers reading all rows to an index.
    const issues = Array.from(
      { length: 500 },
      (_, n) => `('issue-${n}', 'open-${n}', 'unknown-order', '', 1)`,
    );
    await shop.testDatabase.run(
      `INSERT INTO payment_issues (id, loan_id, kind, detail, opened_at) VALUES ${issues.join()}`,
    );
    await shop.testDatabase.run("ANALYZE");
    const plans = await plansOf(kind, shop.database, (db) => readUncached({ db }, inUtc));
    expect(plans.length).toBeGreaterThanOrEqual(5);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|SCAN \w+"/);
  });
});
