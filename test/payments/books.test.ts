import { randomUUID } from "node:crypto";
import { type JournalKind, journalKinds } from "@keepsats/domain";
import { exportedJournalSchema, journalSummarySchema, paths } from "@keepsats/protocol";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSummary } from "../../apps/server/src/modules/payments/journal/books.ts";
import { batchesIn } from "../../apps/server/src/modules/payments/journal/period.ts";
import { unescapeCell } from "../../apps/server/src/platform/http/csv-injection.ts";
import { DAY, HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { anAddress } from "../harness/builders.ts";
import { type DatabaseKind, databaseKinds, useDatabase } from "../harness/databases.ts";
import { aPayout, aPayoutWithoutOrder, changed } from "../harness/loans.ts";
import { dayAfter, localDay, timeZonesOfTests } from "../harness/local-time.ts";
import { type MoneyShop, useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { plansOf } from "../harness/watched-database.ts";

/** The histories are in years of their own, apart from what other tests do now. Clocks change in them. */
const start = Date.parse("2019-10-10");

const entry = fc.record({
  kind: fc.constantFrom(...journalKinds),
  amount: fc.integer({ min: -100_000, max: 100_000 }),
  currency: fc.constantFrom("USD", "USD", "Eur"),
  // Some are on the hour, where days begin and end. More than a batch of the export are at one moment.
  at: fc.oneof(
    fc.integer({ min: start, max: start + 60 * DAY }),
    fc.integer({ min: 0, max: 60 * 24 }).map((hours) => start + hours * HOUR),
    fc.constant(start + 30 * DAY),
  ),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

const utcDay = (at: number) => localDay(at, "UTC");
const parameters = (named: Record<string, string>) => new URLSearchParams(named).toString();
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** Appends entries as they are in the database. */
async function append(shop: MoneyShop, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map((one) => ({
    ...one,
    id: randomUUID(),
    order_id: null,
    loan_id: null,
    unknown: 0,
    by_name: "provider",
    reason: null,
    issue_id: null,
    refund_id: one.kind === "refunded" ? randomUUID() : null,
    method: null,
    reference: null,
    grant_kind: null,
  }));
  await shop.shop.database.db.insertInto("journal").values(rows).execute();
}

async function exported(shop: MoneyShop, query: Record<string, string>) {
  const body = okay(await shop.call("GET", `${paths.admin.journal}?${parameters(query)}`));
  return exportedJournalSchema.parse(body).entries;
}

async function exportedCsv(shop: MoneyShop, query: Record<string, string>) {
  const response = await fetch(`${shop.shop.url}${paths.admin.journalCsv}?${parameters(query)}`, {
    headers: { authorization: `Bearer ${shop.shop.token}` },
  });
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const rows: Record<string, string>[] = parse(await response.text(), { columns: true, bom: true });
  return rows;
}

async function summarized(shop: MoneyShop, query: Record<string, string>) {
  const path = `${paths.admin.journalSummary}?${parameters(query)}`;
  return journalSummarySchema.parse(okay(await shop.call("GET", path))).currencies;
}

const signs: Readonly<Record<JournalKind, number>> = {
  received: 1,
  reversed: 1,
  corrected: 1,
  extension: 1,
  transferred: 1,
  refunded: -1,
  "refund-reversed": 1,
  kept: 0,
  waived: 0,
  "written-off": 0,
};

describe.each(databaseKinds)("the books on $name", (kind) => {
  const shop = useMoneyShop(kind);

  test("agree with the exported entries to the cent, by day and by month, after any history, in any time zone", async () => {
    const stored: Entry[] = [];
    const period = fc.record({
      first: fc.integer({ min: -1, max: 61 }),
      days: fc.integer({ min: 0, max: 40 }),
      timeZone: fc.constantFrom(...timeZonesOfTests),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 150, size: "max" }),
        period,
        async (entries, { first, days, timeZone }) => {
          await append(shop, entries);
          stored.push(...entries);
          okay(await shop.call("PUT", paths.admin.settings, { time_zone: timeZone }));
          const dayOf = (at: number) => localDay(at, timeZone);
          const from = dayAfter(localDay(start, "UTC"), first);
          const to = dayAfter(from, days);
          const query = { from, to };
          const rows = await exported(shop, query);
          const inPeriod = stored.filter(({ at }) => dayOf(at) >= from && dayOf(at) <= to);
          expect(rows.map(({ at }) => at)).toEqual(
            inPeriod.map(({ at }) => Math.floor(at / 1_000) * 1_000).toSorted((a, b) => a - b),
          );
          const csv = await exportedCsv(shop, query);
          expect(csv.map(({ id }) => unescapeCell(id ?? ""))).toEqual(rows.map(({ id }) => id));
          expect(csv.map(({ change }) => Math.round(Number(change) * 100))).toEqual(
            rows.map(({ change }) => change),
          );

          const byDay = await summarized(shop, { ...query, by: "day" });
          const byMonth = await summarized(shop, { ...query, by: "month" });
          for (const { currency, opening, closing, sums, periods } of byDay) {
            const own = rows.filter((row) => row.currency === currency);
            const heldBefore = (day: string) =>
              sumOf(
                stored
                  .filter((one) => one.currency === currency && dayOf(one.at) < day)
                  .map((one) => signs[one.kind] * one.amount),
              );
            expect(opening.held).toBe(heldBefore(from));
            expect(closing.held).toBe(heldBefore(dayAfter(to, 1)));
            expect(closing.held).toBe(opening.held + sumOf(own.map(({ change }) => change ?? 0)));
            for (const sum of sums) {
              const ofKind = own.filter((row) => row.kind === sum.kind);
              expect(sum).toMatchObject({
                entries: ofKind.length,
                change: sumOf(ofKind.map(({ change }) => change ?? 0)),
                decided: sumOf(ofKind.map(({ decided }) => decided ?? 0)),
              });
            }
            expect(sumOf(sums.map(({ entries: count }) => count))).toBe(own.length);
            const days = Map.groupBy(own, ({ at }) => dayOf(at));
            expect(periods.map((one) => [one.period, one.change])).toEqual(
              [...days].map(([day, ofDay]) => [day, sumOf(ofDay.map(({ change }) => change ?? 0))]),
            );
          }
          expect(byMonth.map(({ periods: _, ...rest }) => rest)).toEqual(
            byDay.map(({ periods: _, ...rest }) => rest),
          );
          const changesOf = ({ periods }: (typeof byDay)[number], length: number) =>
            [...Map.groupBy(periods, ({ period }) => period.slice(0, length))].map(
              ([period, all]) => [period, sumOf(all.map(({ change }) => change))],
            );
          const monthLength = "2019-11".length;
          expect(byMonth.map((books) => changesOf(books, monthLength))).toEqual(
            byDay.map((books) => changesOf(books, monthLength)),
          );
        },
      ),
      { numRuns: kind.name === "SQLite" ? 15 : 8, endOnFailure: true },
    );
    okay(await shop.call("PUT", paths.admin.settings, { time_zone: "UTC" }));
  });

  let ahead = 0;
  function passHour(): void {
    shop.passTime(HOUR);
    ahead += HOUR;
  }
  const nowOfShop = () => Date.now() + ahead;

  test("have the refund due of each moment, also after it was refunded, kept or reopened", async () => {
    const moments: { to: string; due: number }[] = [];
    async function moment(): Promise<void> {
      const { refunds_due } = await shop.today();
      // `to` has the entries of its whole second, and the next ones follow an hour later.
      const to = String(Math.floor(nowOfShop() / 1_000));
      moments.push({ to, due: Math.round(refunds_due.amount * 100) });
      passHour();
    }
    await moment();
    const cancelled = await shop.cancelledOrder({ total: 45 });
    await moment();
    const refundId = await shop.refunded(cancelled, { amount: 20 });
    await moment();
    const over = await shop.order();
    await shop.report(aPayout(over, { loan_amount: "13.00" }));
    await moment();
    await shop.refunded(cancelled, { amount: 25 });
    await moment();
    okay(await shop.resolve(await shop.issue(over, "overpaid"), "accepted"));
    await moment();
    okay(await shop.reverseRefund(cancelled, refundId), 201);
    await moment();
    okay(await shop.reopen(await shop.issue(over, "overpaid")));
    await moment();
    const stray = aPayoutWithoutOrder(7);
    await shop.report(stray);
    await moment();
    okay(await shop.resolve(await shop.issue(stray, "unknown-order"), "written-off"));
    await moment();
    await shop.report(changed(cancelled.loan, { status: "Cancelled" }));
    await moment();

    expect(new Set(moments.map(({ due }) => due)).size).toBeGreaterThan(5);
    for (const { to, due } of moments) {
      const [dollars] = await summarized(shop, { to });
      expect([to, dollars?.closing.refund_due]).toEqual([to, due]);
    }
    const [last] = await summarized(shop, { from: moments.at(-1)?.to ?? "" });
    expect(last?.closing.refund_due).toBe(moments.at(-1)?.due);
  });

  test("have a payout at its time at the provider, however late the provider reports it", async () => {
    const order = await shop.order({ total: 30 });
    okay(await shop.cancel(order));
    passHour();
    const paidAt = nowOfShop();
    passHour();
    const to = String(Math.floor(nowOfShop() / 1_000));
    const [before] = await summarized(shop, { to });
    passHour();
    await shop.report(aPayout(order, { updated_at: new Date(paidAt).toISOString() }));
    const [after] = await summarized(shop, { to });
    expect(after?.closing).toEqual({
      held: (before?.closing.held ?? 0) + 3_000,
      refund_due: (before?.closing.refund_due ?? 0) + 3_000,
    });
  });

  test("name the order, its country and who did it, without the country once the order is erased", async () => {
    const order = await shop.paidOrder();
    okay(await shop.correctAddress(order, anAddress({ country: "=Norway" })));
    okay(await shop.cancel(order));
    await shop.refunded(order, {
      amount: 12,
      method: "cash",
      reference: "0012",
      reason: "+ sorry",
    });
    const today = { from: utcDay(Date.now()) };
    const own = async () =>
      (await exported(shop, today)).filter(({ order_id }) => order_id === order.id);
    expect(await own()).toMatchObject([
      {
        kind: "received",
        change: 1_200,
        country: "=Norway",
        loan_id: order.loan.id,
        by: "provider",
      },
      {
        kind: "refunded",
        change: -1_200,
        decided: 0,
        order_number: order.number,
        method: "cash",
        reference: "0012",
        reason: "+ sorry",
        by: "admin",
        refund_id: expect.any(String),
      },
    ]);
    const csv = (await exportedCsv(shop, today)).filter((row) => row.order_id === order.id);
    expect(csv.at(-1)).toMatchObject({
      country: "'=Norway",
      change: "-12.00",
      reference: "'0012",
      reason: "'+ sorry",
    });
    // Programs rely on the names of the columns and their order.
    expect(Object.keys(csv.at(-1) ?? {}).join()).toBe(
      "id,at,order_id,order_number,country,kind,change,decided,currency,loan_id,refund_id,method,reference,reason,by,grant",
    );
    okay(await shop.erase(order));
    expect(await own()).toMatchObject([{ country: null }, { country: null, reason: null }]);
  });

  test("leave an unknown amount empty", async () => {
    const order = await shop.order();
    const loan = aPayout(order, { loan_amount: "a lot" });
    await shop.report(loan);
    const rows = await exported(shop, { from: utcDay(Date.now()) });
    expect(rows.find(({ loan_id }) => loan_id === loan.id)).toMatchObject({ change: null });
  });

  test.each([
    [{ from: "2026-02-30" }, "from"],
    [{ from: "2026-11-02", to: "2026-11-01" }, "to"],
    [{ by: "year" }, "by"],
  ])("refuse %j", async (query, field) => {
    const path = `${paths.admin.journalSummary}?${parameters(query)}`;
    expect(await shop.call("GET", path)).toMatchObject({
      status: 422,
      body: { errors: [{ path: field }] },
    });
  });
});

describe.each(databaseKinds)("on $name", (kind: DatabaseKind) => {
  const shop = useDatabase(kind);

  test("the books are read without a full table scan", async () => {
    // In a small table SQLite prefers reading all rows to an index.
    const rows = Array.from(
      { length: 500 },
      (_, n) => `('entry-${n}', 'received', 1, 0, 'USD', ${n}, 'provider')`,
    );
    await shop.testDatabase.run(
      `INSERT INTO journal (id, kind, amount, unknown, currency, at, by_name) VALUES ${rows.join()}`,
    );
    await shop.testDatabase.run("ANALYZE");
    const period = { from: 100, before: 400 };
    const plans = await plansOf(kind, shop.database, async (db) => {
      await readSummary(db, period, { by: "day", timeZone: "America/New_York" });
      for await (const _ of batchesIn(db, period));
    });
    expect(plans.length).toBeGreaterThan(5);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|SCAN \w+"/);
  });
});
