import { describe, expect, test } from "vitest";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { sqlite } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";

describe.concurrent("an amount with a fraction of a cent", () => {
  const shop = useMoneyShop(sqlite);

  test.each([
    ["11.994", 11.99],
    ["7.209", 7.2],
  ])(
    "(%s) that is too little is rounded down, and the issue has the exact amount",
    async (loan_amount, received) => {
      const order = await shop.order();
      await shop.report(aPayout(order, { loan_amount }));
      expect(await shop.orderOf(order)).toMatchObject({ status: "Pending", ledger: { received } });
      expect(await shop.issue(order, "underpaid")).toMatchObject({
        detail: expect.stringContaining(loan_amount),
        balance: { refundable: received },
      });
    },
  );

  test("does not change the journal while the provider repeats it", async () => {
    const order = await shop.order();
    const loan = aPayout(order, { loan_amount: 11.999999999999998 });
    await shop.report(loan);
    await shop.report(changed(loan, { loan_amount: "12.00" }));
    await shop.report(changed(loan, { loan_amount: 12.000000000000002 }));
    expect(await shop.journalOf(order)).toEqual(["received 12"]);
    expect(await shop.issuesOf(order)).toEqual([]);
  });
});

describe.concurrent("the date of money", () => {
  const shop = useMoneyShop(sqlite);
  const receivedAt = async (order: { id: string }) =>
    (await shop.ledgerOf(order)).entries.find((entry) => entry.kind === "received")?.at;

  test("stays when the provider reports the loan again", async () => {
    const order = await shop.order();
    const paidOut = new Date(Date.now() - DAY).toISOString();
    const loan = aPayout(order, { updated_at: paidOut });
    await shop.report(loan);
    await shop.report(changed(loan, { status: "Closed", updated_at: new Date().toISOString() }));
    expect(await receivedAt(order)).toBe(Math.floor(Date.parse(paidOut) / 1_000));
  });
});
