import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { anActiveLoan, aPayout, aPayoutWithoutOrder, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";

describe.concurrent.each(databaseKinds)("on $name", (kind) => {
  const shop = useMoneyShop(kind);

  describe("money without an order", () => {
    /** A payout of $12 that names no order, and its issue. */
    async function strayMoney() {
      const loan = aPayoutWithoutOrder(12);
      await shop.report(loan);
      return { loan, issue: await shop.issue(loan, "unknown-order") };
    }
    const issueOf = async (loan: { id: string }) => shop.issue(loan, "unknown-order");

    test.each([
      ["no order", null],
      ["an order that the shop does not have", randomUUID()],
      ["what is no id of an order", "refund me at https://evil.example"],
    ])("that names %s is an issue, and all of it is refund due", async (_, client_contract_id) => {
      const loan = aPayoutWithoutOrder(12, { client_contract_id });
      await shop.report(loan);
      const issue = await issueOf(loan);
      expect(issue).toMatchObject({
        order_id: null,
        order_status: null,
        resolution: null,
        balance: { refundable: 12, refund_due: 12, missing: 0, unknown_amount: false },
      });
      expect(issue.detail).not.toContain("evil");
    });

    test("is refunded once for the same key", async () => {
      const { loan, issue } = await strayMoney();
      const key = randomUUID();
      for (let time = 0; time < 2; time += 1)
        okay(await shop.refundFor(issue, { amount: 5 }, key), 201);
      expect(await issueOf(loan)).toMatchObject({ balance: { refundable: 7 } });
      expect(await shop.refundFor(issue, { amount: 7.01 })).toMatchObject({
        status: 409,
        body: { code: "more_than_refundable", refundable: 7 },
      });
    });

    test("is written off, which resolves its issue", async () => {
      const { loan, issue } = await strayMoney();
      okay(await shop.resolve(issue, "written-off", "nobody has asked for it"));
      expect(await issueOf(loan)).toMatchObject({
        resolution: { kind: "written-off", note: "nobody has asked for it" },
        balance: { refundable: 0, refund_due: 0 },
      });
    });

    test("is transferred to the order that its loan names later, and pays it", async () => {
      const { loan } = await strayMoney();
      const order = await shop.order();
      await shop.report(changed(loan, { client_contract_id: order.id }));
      expect(await shop.orderOf(order)).toMatchObject({
        status: "PaymentProcessed",
        ledger: { received: 12, kept: 12, refund_due: 0 },
      });
      expect(await shop.journalOf(order)).toEqual(["transferred 12"]);
      expect(await shop.openIssues(order)).toEqual([]);
      expect(await shop.openIssues(loan)).toEqual([]);
    });

    test("whose loan was presented for an order is not that order's money", async () => {
      const order = await shop.order();
      const loan = aPayoutWithoutOrder(12);
      shop.provider.setContract(loan);
      const page = await shop.subscribe(order, loan);
      await page.until("the refusal", ({ data }) => data.kind === "ContractNotFound");
      await page.close();
      await shop.swept();
      expect(await shop.orderOf(order)).toMatchObject({
        status: "Pending",
        ledger: { received: 0 },
      });
      const issues = await shop.issuesOf(loan);
      expect(issues.filter(({ balance }) => balance.refund_due > 0)).toMatchObject([
        { kind: "unknown-order", order_id: null },
      ]);
    });
  });

  describe("a loan without a payout", () => {
    test("that is presented for another order is dismissed there, and stays with the order that it pays", async () => {
      const [order, other] = [await shop.order(), await shop.order()];
      const loan = anActiveLoan(other);
      await shop.report(loan);
      const page = await shop.subscribe(order, loan);
      await page.until("the refusal", ({ data }) => data.kind === "ContractNotFound");
      await page.close();
      okay(await shop.resolve(await shop.issue(order, "unknown-order"), "dismissed"));
      await shop.report(aPayout(other, { id: loan.id }));
      expect(await shop.statusOf(other)).toBe("PaymentProcessed");
      expect([...(await shop.openIssues(order)), ...(await shop.openIssues(other))]).toEqual([]);
    });
  });
});
