import { randomUUID } from "node:crypto";
import { journalKinds, orderStatuses } from "@keepsats/domain";
import { loanStates } from "@keepsats/protocol";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { OrderFigures } from "../../apps/server/src/modules/reports/figures.ts";
import { createFigures, readFigures } from "../../apps/server/src/modules/reports/order-figures.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { databaseKinds, type UsedDatabase, useDatabase } from "../harness/databases.ts";
import { plansOf } from "../harness/watched-database.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The time of all tests: noon of a day. */
const now = Date.parse("2026-11-23T12:00:00Z");

const read = ({ db }: Pick<Database, "db">) => readFigures(db, now);

/** Counts every order and loan of the shop, with SQL that shares nothing with the server's. */
async function recount({ db }: Pick<Database, "db">): Promise<OrderFigures> {
  const rowsOf = async (text: string) =>
    (await sql.raw<Record<string, string | number | null>>(text).execute(db)).rows;
  const number = async (text: string) => Number((await rowsOf(text))[0]?.n ?? 0);
  const sumOf = (what: string, where: string) =>
    number(`SELECT ${what} AS n FROM orders WHERE ${where}`);
  const paid = "status IN ('PaymentProcessed', 'Shipped', 'Delivered')";
  const moneyWithin = (during: string) =>
    number(`SELECT coalesce(sum(CASE WHEN kind = 'refunded' THEN -amount ELSE amount END), 0) AS n
      FROM journal WHERE currency = 'USD' AND ${during}
        AND kind NOT IN ('transferred', 'kept', 'waived', 'written-off')`);
  const first = Math.floor(now / DAY) * DAY - 29 * DAY;
  const days = [];
  for (let ago = 29; ago >= 0; ago -= 1) {
    const start = Math.floor(now / DAY) * DAY - ago * DAY;
    const during = `created_at >= ${start} AND created_at < ${start + DAY}`;
    days.push({
      day: new Date(start).toISOString().slice(0, 10),
      placed: await sumOf("count(*)", during),
      paid: await sumOf("count(*)", `${during} AND ${paid}`),
      paidAmount: await moneyWithin(`at >= ${start} AND at < ${start + DAY}`),
    });
  }
  const bounds = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, undefined];
  const waits = [];
  for (const [n, within] of bounds.entries()) {
    const wait = "e.at - o.created_at";
    const above = n === 0 ? "" : `AND ${wait} > ${bounds[n - 1]}`;
    const below = within === undefined ? "" : `AND ${wait} <= ${within}`;
    const orders =
      await number(`SELECT count(*) AS n FROM orders o JOIN order_events e ON e.order_id = o.id
      WHERE e.to_status = 'PaymentProcessed' AND e.from_status <> e.to_status
        AND o.created_at >= ${first} ${above} ${below}`);
    waits.push({ within, orders });
  }
  const statuses = await rowsOf("SELECT DISTINCT status AS name FROM orders ORDER BY status");
  const byStatus = [];
  for (const status of new Set([...orderStatuses, ...statuses.map(({ name }) => String(name))])) {
    byStatus.push({ status, orders: await sumOf("count(*)", `status = '${status}'`) });
  }
  const loans = await rowsOf(
    `SELECT state, count(*) AS n FROM loans WHERE bound_at >= ${first} GROUP BY state`,
  );
  const periods = [];
  for (const length of [1, 7, 30] as const) {
    const start = Math.floor(now / DAY) * DAY - (length - 1) * DAY;
    const during = (column: string, from: number, to: number) =>
      `${column} >= ${from} AND ${column} < ${to}`;
    const [before, end] = [start - length * DAY, now - length * DAY];
    periods.push({
      days: length,
      orders: await sumOf("count(*)", during("created_at", start, now + DAY)),
      ordersBefore: await sumOf("count(*)", during("created_at", before, end)),
      revenue: await moneyWithin(during("at", start, now + DAY)),
      revenueBefore: await moneyWithin(during("at", before, end)),
      toShipBefore: await sumOf(
        "count(*)",
        `status = 'PaymentProcessed' AND created_at < ${start}`,
      ),
    });
  }
  return {
    byStatus,
    days,
    periods,
    waits,
    loans: new Map(
      loanStates.flatMap((state) => {
        const row = loans.find((one) => one.state === state);
        return row === undefined ? [] : [[state, Number(row.n)]];
      }),
    ),
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
  const orders: { id: string; created_at: number; status: string; version: number }[] = [];
  const paid = new Set<string>();
  const loans: string[] = [];
  let loanNumber = 0;
  const pick = <T>(from: readonly T[], which: number): T | undefined =>
    from[which % Math.max(1, from.length)];

  // Not by `testDatabase.run`, which connects for each statement.
  const run = (text: string) => sql.raw(text).execute(shop.database.db);

  async function addEvent(order: (typeof orders)[number], to: string, at: number): Promise<void> {
    order.version += 1;
    const paidAt = to === "PaymentProcessed" && order.status !== to ? `, paid_at = ${at}` : "";
    await run(`INSERT INTO order_events (order_id, version, from_status, to_status, kind, by, reason, at)
      VALUES ('${order.id}', ${order.version}, '${order.status}', '${to}', '${to === order.status ? "noted" : "moved"}', 'merchant', NULL, ${at})`);
    await run(
      `UPDATE orders SET status = '${to}', version = ${order.version} ${paidAt} WHERE id = '${order.id}'`,
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
      orders.push({ id, created_at, status: "Pending", version: 1 });
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

  test("equal a recount after any history", async () => {
    const runs = kind.name === "SQLite" ? 25 : 10;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const happen = history(shop);
        for (const one of steps) await happen(one);
        expect(await read(shop.database)).toEqual(await recount(shop.database));
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test("are counted once for concurrent calls and those of the next seconds, and again after a failure", async () => {
    const { db } = shop.database;
    const placed = async (figures: () => Promise<OrderFigures>) =>
      (await figures()).days.at(-1)?.placed ?? 0;
    const kept = createFigures(db, () => now, { keepFigures: 60_000 });
    const [one, other] = await Promise.all([kept(), kept()]);
    expect(other).toBe(one);
    const before = await placed(kept);
    await shop.stored({ created_at: now });
    expect(await placed(kept)).toBe(before);
    const unkept = createFigures(db, () => now, { keepFigures: 0 });
    expect(await placed(unkept)).toBe(before + 1);
    await db.schema.alterTable("loans").renameTo("away").execute();
    await expect(unkept()).rejects.toThrow("loans");
    await db.schema.alterTable("away").renameTo("loans").execute();
    expect(await placed(unkept)).toBe(before + 1);
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
    const plans = await plansOf(kind, shop.database, (db) => readFigures(db, now));
    expect(plans.length).toBeGreaterThanOrEqual(5);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|SCAN \w+"/);
  });
});
