import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { anActiveLoan, aPayout, changed } from "../harness/loans.ts";
import { type PlacedOrder, useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { amountsIn } from "../harness/sent-emails.ts";

describe.concurrent.each(databaseKinds)("on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });

  describe("an underpaid loan that staff accept", () => {
    /** An order of $12 for which $7.20 were accepted. */
    async function acceptedOrder() {
      const order = await shop.order();
      const loan = aPayout(order, { loan_amount: "7.20" });
      await shop.report(loan);
      okay(
        await shop.resolve(await shop.issue(order, "underpaid"), "accepted", "a loyal customer"),
      );
      return { ...order, loan };
    }
    const paidEmail = async (order: PlacedOrder) =>
      (await shop.emailsTo(order)).filter(({ subject }) => subject.includes("is paid"));

    test("pays its order, and the rest is waived", async () => {
      const order = await acceptedOrder();
      expect(await shop.orderOf(order)).toMatchObject({
        status: "PaymentProcessed",
        ledger: {
          received: 7.2,
          kept: 7.2,
          waived: 4.8,
          missing: 0,
          refund_due: 0,
          refundable: 0,
        },
      });
      expect(await shop.openIssues(order)).toEqual([]);
      expect((await shop.ledgerOf(order)).entries).toContainEqual(
        expect.objectContaining({ kind: "waived", amount: 4.8, reason: "a loyal customer" }),
      );
    });

    test("is emailed to customer and merchant with the sum that was received", async () => {
      const order = await acceptedOrder();
      expect(amountsIn(await paidEmail(order), /./)).toContain("$7.20");
      const subjects = (await shop.emailsToMerchant()).map(({ subject }) => subject);
      expect(subjects).toContainEqual(
        expect.stringMatching(new RegExp(`${order.number}.*is paid.*\\$7\\.20`)),
      );
    });

    test("stays accepted whatever the provider reports later", async () => {
      const order = await acceptedOrder();
      await shop.report(changed(order.loan, { status: "Closed" }));
      expect(await shop.ledgerOf(order)).toMatchObject({ received: 7.2, waived: 4.8, missing: 0 });
      expect(await shop.openIssues(order)).toEqual([]);
      expect(await shop.resolve(await shop.issue(order, "underpaid"), "accepted")).toMatchObject({
        status: 409,
        body: { code: "resolved_already" },
      });
    });
  });

  describe("a payout that does not pay its order", () => {
    test("cannot be accepted before it is paid out", async () => {
      const order = await shop.order();
      await shop.report(anActiveLoan(order, { loan_amount: "7.20" }));
      const answer = await shop.resolve(await shop.issue(order, "underpaid"), "accepted");
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await shop.statusOf(order)).toBe("Pending");
      expect(await shop.openKinds(order)).toEqual(["underpaid"]);
    });

    test("stays with its order when another loan pays it, and is refund due then", async () => {
      const order = await shop.order();
      await shop.report(aPayout(order, { loan_amount: "11.00" }));
      expect(await shop.ledgerOf(order)).toMatchObject({
        received: 11,
        refund_due: 0,
        refundable: 11,
      });
      await shop.report(aPayout(order));
      expect(await shop.orderOf(order)).toMatchObject({
        status: "PaymentProcessed",
        ledger: { received: 23, kept: 12, refund_due: 11 },
      });
      await shop.refunded(order, { amount: 11 });
      expect(await shop.ledgerOf(order)).toMatchObject({
        received: 23,
        refund_due: 0,
        refunded: 11,
      });
      expect(await shop.openIssues(order)).toEqual([]);
    });

    test("still does not pay after its refund, although the provider raises its amount to the total", async () => {
      const order = await shop.order();
      const small = aPayout(order, { loan_amount: "11.00" });
      await shop.report(small);
      await shop.refunded(order, { amount: 11 });
      await shop.report(changed(small, { loan_amount: "12.00" }));
      expect(await shop.statusOf(order)).toBe("Pending");
      expect(await shop.openKinds(order)).toContain("changed-after-payout");
    });
  });
});

describe.each(databaseKinds)("accepting while the order changes on $name", (kind) => {
  const shop = useMoneyShop(kind);

  test("has one winner, and the sums agree", async () => {
    for (let round = 0; round < 6; round += 1) {
      const order = await shop.order();
      await shop.report(aPayout(order, { loan_amount: "11.00" }));
      const issue = await shop.issue(order, "underpaid");
      const isCancelled = round % 2 === 0;
      const accepted = shop.resolve(issue, "accepted");
      if (isCancelled) okay(await shop.cancel(order));
      else await shop.report(aPayout(order));
      await accepted;
      const { status, ledger } = await shop.orderOf(order);
      if (isCancelled) {
        expect({ status, ...ledger }).toMatchObject({ status: "Cancelled", received: 11 });
        expect(ledger.kept + ledger.refund_due).toBe(11);
      } else {
        expect({ status, ...ledger }).toMatchObject({ status: "PaymentProcessed", received: 23 });
        // Accepted first, it is the payment, and the other loan is a duplicate. Otherwise it is kept.
        expect([11, 23]).toContain(ledger.kept);
        expect(ledger).toMatchObject({ refund_due: 23 - ledger.kept, missing: 0 });
      }
    }
  });
});
