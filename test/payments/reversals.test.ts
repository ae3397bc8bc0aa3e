import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { aboutRefunds, amountsIn } from "../harness/sent-emails.ts";

const takenBack = { status: "Cancelled" };

describe.concurrent.each(databaseKinds)("on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });

  describe("a reversed payout", () => {
    test("is reversed in the journal and opens an issue; the order keeps its status", async () => {
      const order = await shop.paidOrder();
      await shop.report(changed(order.loan, takenBack));
      expect(await shop.journalOf(order)).toEqual(["received 12", "reversed -12"]);
      expect(await shop.orderOf(order)).toMatchObject({
        status: "PaymentProcessed",
        ledger: { received: 0, kept: 0, refund_due: 0, refundable: 0, missing: 12 },
      });
      expect(await shop.openKinds(order)).toEqual(["changed-after-payout"]);
      expect(await shop.issue(order, "changed-after-payout")).toMatchObject({
        balance: { missing: 12 },
      });
    });

    test("is not refunded when the order is cancelled, and no email mentions a refund", async () => {
      const order = await shop.paidOrder();
      await shop.report(changed(order.loan, takenBack));
      okay(await shop.cancel(order));
      expect(await shop.ledgerOf(order)).toMatchObject({
        refund_due: 0,
        refundable: 0,
        missing: 0,
      });
      expect(await shop.refund(order, { amount: 12 })).toMatchObject({
        status: 409,
        body: { code: "more_than_refundable" },
      });
      expect(amountsIn(await shop.emailsTo(order), aboutRefunds)).toEqual([]);
    });

    test("leaves an underpaid loan that staff can no longer accept", async () => {
      const order = await shop.order();
      const small = aPayout(order, { loan_amount: "7.20" });
      await shop.report(small);
      const { id } = await shop.issue(order, "underpaid");
      await shop.report(changed(small, takenBack));
      expect(await shop.ledgerOf(order)).toMatchObject({ received: 0, refundable: 0, missing: 0 });
      expect((await shop.resolve({ id }, "accepted")).status).toBeGreaterThanOrEqual(400);
      expect(await shop.statusOf(order)).toBe("Pending");
    });

    test("opens a second issue if it happens again after the first was resolved", async () => {
      const order = await shop.paidOrder();
      await shop.report(changed(order.loan, takenBack));
      await shop.resolve(await shop.issue(order, "changed-after-payout"), "dismissed");
      await shop.swept(2);
      expect(await shop.openIssues(order), "reported again without a change").toEqual([]);
      await shop.report(order.loan);
      await shop.report(changed(order.loan, { status: "Rejected" }));
      expect(await shop.openKinds(order)).toEqual(["changed-after-payout"]);
    });
  });

  describe("a loan that changes after its payout", () => {
    test("to another order stays closed after staff have dismissed it, whatever its next statuses", async () => {
      const [order, other] = [await shop.paidOrder(), await shop.order()];
      const renamed = changed(order.loan, { client_contract_id: other.id });
      await shop.report(renamed);
      okay(await shop.resolve(await shop.issue(order, "changed-after-payout"), "dismissed"));
      await shop.report(changed(renamed, { status: "Closed" }));
      expect(await shop.openIssues(order)).toEqual([]);
    });

    test("to a dispute opens an issue, which is opened again by a second dispute", async () => {
      const order = await shop.paidOrder();
      const disputed = changed(order.loan, { status: "DisputeLenderStarted" });
      await shop.report(disputed);
      expect(await shop.openKinds(order)).toEqual(["disputed"]);
      expect(await shop.ledgerOf(order)).toMatchObject({ received: 12, refund_due: 0, missing: 0 });
      okay(await shop.resolve(await shop.issue(order, "disputed"), "dismissed"));
      await shop.swept(2);
      expect(await shop.openIssues(order), "reported again without a change").toEqual([]);
      await shop.report(order.loan);
      expect(await shop.openIssues(order)).toEqual([]);
      await shop.report(disputed);
      expect(await shop.openKinds(order)).toEqual(["disputed"]);
    });
  });
});
