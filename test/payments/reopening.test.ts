import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { startReceiver } from "../harness/receiver.ts";
import { waitFor } from "../harness/wait-for.ts";
import { aPayout, aPayoutWithoutOrder, changed } from "./loans.ts";
import { useMoneyShop } from "./money-shop.ts";
import { issueIn, okay } from "./staff.ts";

describe.concurrent.each(databaseKinds)("a wrong resolution on $name", (kind) => {
  const shop = useMoneyShop(kind);

  test("that dismissed an issue is taken back, and the issue is open again", async () => {
    const order = await shop.paidOrder();
    await shop.report(changed(order.loan, { status: "DisputeLenderStarted" }));
    const issue = await shop.issue(order, "disputed");
    okay(await shop.resolve(issue, "dismissed"));
    expect(issueIn(await shop.reopen(issue, "it was another loan"))).toMatchObject({
      resolution: null,
    });
    expect(await shop.openKinds(order)).toEqual(["disputed"]);
    expect(await shop.journalOf(order)).toEqual(["received 12"]);
  });

  test("that wrote money off is taken back by an entry", async () => {
    const order = await shop.paidOrder();
    await shop.report(changed(order.loan, { status: "Cancelled" }));
    const issue = await shop.issue(order, "changed-after-payout");
    okay(await shop.resolve(issue, "written-off"));
    okay(await shop.reopen(issue));
    expect(await shop.ledgerOf(order)).toMatchObject({ written_off: 0, missing: 12 });
    expect((await shop.journalOf(order)).slice(-2)).toEqual(["written-off 12", "written-off -12"]);
    expect(await shop.openKinds(order)).toEqual(["changed-after-payout"]);
  });

  test("that accepted an underpaid loan is taken back: the rest is missing, and the order stays paid", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "7.20" }));
    const issue = await shop.issue(order, "underpaid");
    okay(await shop.resolve(issue, "accepted"));
    okay(await shop.reopen(issue));
    expect(await shop.orderOf(order)).toMatchObject({
      status: "PaymentProcessed",
      ledger: { received: 7.2, kept: 7.2, waived: 0, missing: 4.8 },
    });
    expect(await shop.openKinds(order)).toEqual(["underpaid"]);
    okay(await shop.resolve(issue, "accepted"));
    expect(await shop.ledgerOf(order)).toMatchObject({ waived: 4.8, missing: 0 });
  });

  test("that kept a duplicate is taken back: it is refund due again", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    const issue = await shop.issue(order, "duplicate");
    okay(await shop.resolve(issue, "accepted"));
    okay(await shop.reopen(issue));
    expect(await shop.ledgerOf(order)).toMatchObject({ kept: 12, refund_due: 13 });
    expect(await shop.openKinds(order)).toEqual(["duplicate"]);
  });

  test("that wrote money without an order off is taken back: it is refund due again", async () => {
    const loan = aPayoutWithoutOrder(12);
    await shop.report(loan);
    const issue = await shop.issue(loan, "unknown-order");
    okay(await shop.resolve(issue, "written-off"));
    okay(await shop.reopen(issue));
    expect(await shop.issue(loan, "unknown-order")).toMatchObject({
      resolution: null,
      balance: { refund_due: 12 },
    });
  });

  test("that wrote an unknown amount off is taken back: it is unknown again", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "1e2" }));
    const issue = await shop.issue(order, "underpaid");
    okay(await shop.resolve(issue, "written-off"));
    okay(await shop.reopen(issue));
    expect(await shop.ledgerOf(order)).toMatchObject({ unknown_amounts: 1 });
    expect(await shop.cancelAsCustomer(order)).toMatchObject({ status: 409 });
  });

  test("by a refund is taken back by reversing the refund", async () => {
    const order = await shop.cancelledOrder();
    await shop.refunded(order, { amount: 12 });
    const issue = await shop.issue(order, "paid-after-cancel");
    expect(await shop.reopen(issue)).toMatchObject({ status: 409 });
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 12, refund_due: 0 });
    expect(await shop.openIssues(order)).toEqual([]);
  });

  test("cannot be taken back while the issue is open, and not without a note", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    const issue = await shop.issue(order, "duplicate");
    expect(await shop.reopen(issue)).toMatchObject({
      status: 409,
      body: { code: "not_resolved" },
    });
    okay(await shop.resolve(issue, "accepted"));
    expect(await shop.reopen(issue, "")).toMatchObject({ status: 422 });
  });

  test("is taken back once, if two members of staff do so at once", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    const issue = await shop.issue(order, "duplicate");
    okay(await shop.resolve(issue, "accepted"));
    const both = await Promise.all([shop.reopen(issue), shop.reopen(issue)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await shop.ledgerOf(order)).toMatchObject({ kept: 12, refund_due: 13 });
  });

  test("is announced to webhooks when it is taken back", async () => {
    await using receiver = await startReceiver();
    okay(await shop.call("POST", "/api/merchant/webhooks", { url: receiver.url }), 201);
    const order = await shop.paidOrder();
    await shop.report(changed(order.loan, { status: "DisputeLenderStarted" }));
    const issue = await shop.issue(order, "disputed");
    okay(await shop.resolve(issue, "dismissed"));
    okay(await shop.reopen(issue));
    await waitFor("the webhook", () =>
      receiver.typesOf(order.id).includes("payment_issue.reopened"),
    );
    expect(receiver.typesOf(order.id).slice(-3)).toEqual([
      "payment_issue.opened",
      "payment_issue.resolved",
      "payment_issue.reopened",
    ]);
  });
});
