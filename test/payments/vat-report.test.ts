import { paths, receiptsSummarySchema } from "@keepsats/protocol";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { issuedIn } from "../../apps/server/src/modules/payments/receipts/receipt-repository.ts";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { type DatabaseKind, databaseKinds, useDatabase } from "../harness/databases.ts";
import { dayAfter, localDay } from "../harness/local-time.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { plansOf } from "../harness/watched-database.ts";
import { mixedOrder } from "./mixed-order.ts";

const timeZone = "Asia/Kathmandu";

describe.each(databaseKinds)("the VAT of a period on $name", (kind) => {
  const shop = useMoneyShop(kind);
  beforeAll(async () => {
    okay(await shop.call("PUT", paths.admin.settings, { vat_rate: "19", time_zone: timeZone }));
  });

  let ahead = 0;
  function passTime(milliseconds: number): void {
    shop.passTime(milliseconds);
    ahead += milliseconds;
  }
  const today = () => localDay(Date.now() + ahead, timeZone);

  async function exported(query: Record<string, string>) {
    const url = `${shop.shop.url}${paths.admin.receiptsCsv}?${new URLSearchParams(query)}`;
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${shop.shop.token}` },
    });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const text = await response.text();
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    return rows;
  }

  async function summarized(query: Record<string, string>) {
    const path = `${paths.admin.receiptsSummary}?${new URLSearchParams(query)}`;
    return receiptsSummarySchema.parse(okay(await shop.call("GET", path))).rates;
  }

  test("has each document with its rates on its day in the shop's zone, a later credit note in its own period", async () => {
    const order = await mixedOrder(shop);
    const soldOn = today();
    passTime(DAY);
    const lines = [{ item_id: "book", quantity: 1 }];
    await shop.refunded(order, { amount: 20, grant: "return", lines });
    const creditedOn = today();
    expect(creditedOn).not.toBe(soldOn);

    const ofDay = (day: string) => ({ from: day, to: day });
    const document = { order_number: order.number, order_id: order.id };
    const receipt = {
      number: order.number.replace("K-", "R-"),
      kind: "receipt",
      date: soldOn,
      ...document,
      total: "140.00",
    };
    expect(await exported(ofDay(soldOn))).toEqual([
      { ...receipt, vat_rate: "19", gross: "100.00", vat: "15.97", net: "84.03" },
      { ...receipt, vat_rate: "7", gross: "40.00", vat: "2.62", net: "37.38" },
    ]);
    expect(await exported(ofDay(creditedOn))).toEqual([
      {
        number: `${order.number.replace("K-", "C-")}-1`,
        kind: "credit-note",
        date: creditedOn,
        ...document,
        total: "-20.00",
        vat_rate: "7",
        gross: "-20.00",
        vat: "-1.31",
        net: "-18.69",
      },
    ]);
    expect(await summarized(ofDay(soldOn))).toEqual([
      { rate: 1_900, receipts: 10_000, credit_notes: 0, vat: 1_597 },
      { rate: 700, receipts: 4_000, credit_notes: 0, vat: 262 },
    ]);
    expect(await summarized(ofDay(creditedOn))).toEqual([
      { rate: 700, receipts: 0, credit_notes: 2_000, vat: -131 },
    ]);
    expect(await exported(ofDay(dayAfter(soldOn, -1)))).toEqual([]);
    expect(await summarized(ofDay(dayAfter(creditedOn, 1)))).toEqual([]);
  });

  test("agrees with the documents to the cent, over several batches and to the first millisecond", async () => {
    const order = await mixedOrder(shop);
    const start = Date.parse("2020-01-31T18:15:00Z");
    const vat = [
      { rate: 1_900, gross: 101, vat: 16 },
      { rate: null, gross: 2, vat: 0 },
    ];
    const content = JSON.stringify({
      issued_on: "2020-02-01",
      seller: { name: "Shop", address: null, tax_number: null },
      total: 103,
      reduction: 0,
      rates: [],
      vat,
      reason: "goodwill",
    });
    // 250 are at the start of the day, 50 right before, and 50 right before its end.
    const times = [start - 1, start, start, start, start, start, start + DAY - 1];
    await shop.shop.database.db
      .insertInto("issued_receipts")
      .values(
        Array.from({ length: 350 }, (_, n) => ({
          order_id: order.id,
          sequence: 1_000 + n,
          refund_id: null,
          issued_at: times[n % times.length] ?? 0,
          content,
        })),
      )
      .execute();
    const query = { from: "2020-02-01", to: "2020-02-01" };
    const rows = await exported(query);
    expect(new Set(rows.map(({ number }) => number)).size).toBe(300);
    expect(rows).toHaveLength(600);
    expect(rows.at(1)).toMatchObject({ vat_rate: "", gross: "-0.02", vat: "0.00" });
    const cents = (column: string, rate: string) =>
      rows
        .filter(({ vat_rate }) => vat_rate === rate)
        .reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
    expect([cents("gross", "19"), cents("vat", "19"), cents("gross", "")]).toEqual([
      -30_300, -4_800, -600,
    ]);
    expect(await summarized(query)).toEqual([
      { rate: 1_900, receipts: 0, credit_notes: 30_300, vat: -4_800 },
      { rate: null, receipts: 0, credit_notes: 600, vat: 0 },
    ]);
  });

  test.each([
    [{ from: "2026-02-30" }, "from"],
    [{ from: "2026-11-02", to: "2026-11-01" }, "to"],
  ])("refuses %j", async (query, field) => {
    for (const path of [paths.admin.receiptsCsv, paths.admin.receiptsSummary])
      expect(await shop.call("GET", `${path}?${new URLSearchParams(query)}`)).toMatchObject({
        status: 422,
        body: { errors: [{ path: field }] },
      });
  });
});

describe.each(databaseKinds)("on $name", (kind: DatabaseKind) => {
  const shop = useDatabase(kind);

  test("the receipts of a period are read by their time", async () => {
    const plans = await plansOf(kind, shop.database, async (db) => {
      for await (const _ of issuedIn(db, { from: 100, before: 400 }));
    });
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain("issued_receipts_by_time");
    expect(plans[0]).not.toMatch(/Seq Scan|SCAN \w+"|TEMP B-TREE/);
  });
});
