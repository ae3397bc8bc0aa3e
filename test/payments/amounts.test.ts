import { describe, expect, test } from "vitest";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { sqlite } from "../harness/databases.ts";
import { anActiveLoan, aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";

describe.concurrent("an amount with a fraction of a cent", () => {
  const shop = useMoneyShop(sqlite);

  test.each([11.999999999999998, "11.999999999999998", "11.996", 12.000000000000002, "12.004"])(
    "(%s) counts as the total of $12.00 if it is within half a cent of it",
    async (loan_amount) => {
      const order = await shop.order();
      await shop.report(aPayout(order, { loan_amount }));
      expect(await shop.orderOf(order)).toMatchObject({
        status: "PaymentProcessed",
        ledger: { received: 12, kept: 12, refund_due: 0, missing: 0 },
      });
      expect(await shop.issuesOf(order)).toEqual([]);
    },
  );

  test.each([
    ["11.994", 11.99],
    ["7.209", 7.2],
  ])("(%s) is rounded down otherwise, as the issue says", async (loan_amount, received) => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount }));
    expect(await shop.orderOf(order)).toMatchObject({ status: "Pending", ledger: { received } });
    expect(await shop.issue(order, "underpaid")).toMatchObject({
      detail: expect.stringContaining(loan_amount),
      balance: { refundable: received },
    });
  });

  test("(12.509) is rounded down for an overpaid order too", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "12.509" }));
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 12.5, kept: 12, refund_due: 0.5 });
    expect(await shop.issue(order, "overpaid")).toMatchObject({
      detail: expect.stringContaining("12.509"),
    });
  });

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

  test("is that of the first report of the payout if the provider sends no time", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    await shop.report(loan);
    const before = Math.floor(Date.now() / 1_000);
    await shop.report(changed(loan, { status: "PrincipalGiven" }));
    expect(await receivedAt(order)).toBeGreaterThanOrEqual(before);
    expect(await receivedAt(order)).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  test("stays when the provider reports the loan again", async () => {
    const order = await shop.order();
    const paidOut = new Date(Date.now() - DAY).toISOString();
    const loan = aPayout(order, { updated_at: paidOut });
    await shop.report(loan);
    await shop.report(changed(loan, { status: "Closed", updated_at: new Date().toISOString() }));
    expect(await receivedAt(order)).toBe(Math.floor(Date.parse(paidOut) / 1_000));
  });
});
