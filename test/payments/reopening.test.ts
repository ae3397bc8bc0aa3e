import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout, aPayoutWithoutOrder, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { issueIn, okay } from "../harness/money-staff.ts";
import { startReceiver } from "../harness/receiver.ts";
import { waitFor } from "../harness/wait-for.ts";

describe.concurrent.each(databaseKinds)("undoing a resolution on $name", (kind) => {
  const shop = useMoneyShop(kind);

  test("that dismissed an issue reopens the issue", async () => {
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

  test("that wrote off money without an order makes it refund due again", async () => {
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

  test("that wrote off an unknown amount makes it unknown again", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "1e2" }));
    const issue = await shop.issue(order, "underpaid");
    okay(await shop.resolve(issue, "written-off"));
    okay(await shop.reopen(issue));
    expect(await shop.ledgerOf(order)).toMatchObject({ unknown_amounts: 1 });
    expect(await shop.cancelAsCustomer(order)).toMatchObject({ status: 409 });
  });

  test("is refused while the issue is open, and without a note", async () => {
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

  test("succeeds once if two members of staff do it at once", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    const issue = await shop.issue(order, "duplicate");
    okay(await shop.resolve(issue, "accepted"));
    const both = await Promise.all([shop.reopen(issue), shop.reopen(issue)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await shop.ledgerOf(order)).toMatchObject({ kept: 12, refund_due: 13 });
  });

  test("is emitted to webhooks", async () => {
    await using receiver = await startReceiver();
    okay(await shop.call("POST", "/api/admin/webhooks", { url: receiver.url }), 201);
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
