import { describe, expect, test } from "vitest";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { aboutRefunds, amountsIn } from "../harness/sent-emails.ts";
import { waitFor } from "../harness/wait-for.ts";

const euros = { loan_asset: "Eur" };
/** An amount that the adapter cannot read. */
const garbled = { loan_amount: "1e2" };

/** Payouts whose worth in dollars the shop does not know. */
const payouts = [
  { what: "euros", changes: euros, kind: "wrong-currency" },
  { what: "an unknown token", changes: { loan_asset: "UsdcDoge" }, kind: "wrong-currency" },
  { what: "an unrecognized amount", changes: garbled, kind: "underpaid" },
] as const;

describe.concurrent.each(databaseKinds)("on $name", (kind) => {
  const shop = useMoneyShop(kind);

  describe("a payout of an unknown amount or currency", () => {
    test.each(payouts)("($what) keeps a cancelled order from being erased", async ({ changes }) => {
      const order = await shop.order();
      await shop.cancel(order);
      await shop.report(aPayout(order, changes));
      expect(await shop.erase(order)).toMatchObject({
        status: 409,
        body: { code: "not_erasable" },
      });
    });

    test.each(payouts)(
      "($what) cannot be dismissed before it is refunded or written off",
      async ({ changes, kind }) => {
        const order = await shop.order();
        await shop.report(aPayout(order, changes));
        const issue = await shop.issue(order, kind);
        expect(await shop.resolve(issue, "dismissed")).toMatchObject({
          status: 409,
          body: { code: "money_open" },
        });
        expect(await shop.openKinds(order)).toEqual([kind]);
      },
    );
  });

  describe("money of unknown amount", () => {
    test("is shown as unknown, and not as 0", async () => {
      const order = await shop.order();
      await shop.report(aPayout(order, garbled));
      expect(await shop.ledgerOf(order)).toMatchObject({ received: 0, unknown_amounts: 1 });
      expect(await shop.journalOf(order)).toEqual(["received unknown"]);
      expect(await shop.issue(order, "underpaid")).toMatchObject({
        detail: expect.stringContaining("1e2"),
        balance: { unknown_amount: true },
      });
    });

    test("becomes known once the provider reports it", async () => {
      const order = await shop.order();
      const loan = aPayout(order, garbled);
      await shop.report(loan);
      await shop.report(changed(loan, { loan_amount: "7.20" }));
      expect(await shop.journalOf(order)).toEqual(["received unknown", "corrected 7.2"]);
      expect(await shop.ledgerOf(order)).toMatchObject({ received: 7.2, unknown_amounts: 0 });
      expect(await shop.statusOf(order)).toBe("Pending");
      expect(await shop.openKinds(order)).toContain("underpaid");
    });

    test("of a second loan leaves the order paid", async () => {
      const order = await shop.paidOrder();
      await shop.report(aPayout(order, garbled));
      expect(await shop.orderOf(order)).toMatchObject({
        status: "PaymentProcessed",
        ledger: { received: 12, kept: 12, unknown_amounts: 1 },
      });
      expect((await shop.openIssues(order)).map(({ balance }) => balance)).toMatchObject([
        { unknown_amount: true },
      ]);
    });
  });

  describe("money in another currency", () => {
    test("is refunded in its currency, which resolves the issue", async () => {
      const order = await shop.cancelledOrder();
      await shop.refunded(order, { amount: 12 });
      await shop.report(aPayout(order, { ...euros, loan_amount: "30.00" }));
      const [issue] = await shop.openIssues(order);
      const currency = issue?.balance.currency ?? "";
      expect(issue?.balance).toMatchObject({ refund_due: 30, refundable: 30 });
      expect(await shop.refund(order, { amount: 30 })).toMatchObject({
        status: 409,
        body: { code: "more_than_refundable" },
      });
      expect(await shop.refund(order, { amount: 30.01, currency })).toMatchObject({ status: 409 });
      await shop.refunded(order, { amount: 30, currency });
      expect(await shop.ledgerOf(order)).toMatchObject({
        refunded: 12,
        other_currencies: [{ currency, received: 30, refunded: 30, refundable: 0, refund_due: 0 }],
      });
      expect(await shop.openIssues(order)).toEqual([]);
      expect(await shop.erase(order)).toMatchObject({ status: 200 });
    });
  });
});

describe.each(databaseKinds)(
  "an order with money of unknown amount or currency on $name",
  (database) => {
    const TERM = 1_500;
    const shop = useMoneyShop(database, { mail: true, config: { orderExpiresHours: TERM / HOUR } });

    test("does not expire, although orders without money do", async () => {
      const orders = await Promise.all(payouts.map(() => shop.order()));
      const loans = payouts.flatMap(({ changes }, index) => {
        const order = orders[index];
        return order === undefined ? [] : [aPayout(order, changes)];
      });
      for (const loan of loans) shop.provider.setContract(loan);
      const unpaid = await shop.order();
      // It is the youngest, so the other orders would have expired before it.
      await waitFor("the unpaid order to expire", async () => {
        return (await shop.statusOf(unpaid)) === "Cancelled";
      });
      await shop.swept(2);
      expect(await Promise.all(orders.map((order) => shop.statusOf(order)))).toEqual(
        payouts.map(() => "Pending"),
      );
    });

    test("gets no email that it costs nothing when staff cancel it", async () => {
      const order = await shop.order();
      await shop.report(aPayout(order, garbled));
      await shop.cancel(order);
      const emails = await shop.emailsTo(order);
      const cancelled = emails.find(({ subject }) => subject.includes("cancelled"));
      expect(cancelled?.text).not.toMatch(/nothing for you to pay/);
      expect(amountsIn(emails, aboutRefunds), "no sum that nobody knows").toEqual([]);
    });
  },
);
