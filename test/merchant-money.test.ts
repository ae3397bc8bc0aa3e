import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sqlite } from "./harness/databases.ts";
import { runMerchant } from "./harness/staff.ts";
import { anActiveLoan, aPayout, aPayoutWithoutOrder } from "./payments/loans.ts";
import { useMoneyShop } from "./payments/money-shop.ts";

// Money that the sandbox lender does not report: other currencies, unknown amounts, no order.

describe.concurrent("the CLI", () => {
  const shop = useMoneyShop(sqlite);
  const run = (...args: readonly string[]) => runMerchant(shop.shop, args);
  const method = ["--method", "bank transfer"];

  test("shows and refunds money of another currency in that currency", async () => {
    const order = await shop.order();
    const short = order.id.slice(0, 8);
    await shop.report(aPayout(order, { loan_asset: "Eur" }));
    expect((await run("payment-issues", "list")).out).toMatch(
      new RegExp(`wrong-currency +${short} +12\\.00 Eur`),
    );
    const { out } = await run("orders", "show", short);
    expect(out).toMatch(/^Money {3}received 12\.00 Eur, refundable 12\.00 Eur$/m);
    expect(out).not.toContain("$0.00");
    const refund = ["payment-issues", "refund", short, "5", ...method];
    expect((await run(...refund)).out).toBe(
      "The refund is recorded: 5.00 Eur refunded, 7.00 Eur can be refunded.\n",
    );
    const dollars = await run("orders", "refund", short, "7", ...method);
    expect(dollars).toMatchObject({ code: 4, out: "" });
    expect(dollars.err).not.toContain("$0.00");
    const rest = ["orders", "refund", short, "7", "--currency", "Eur", ...method];
    expect((await run(...rest)).out).toBe(
      "The refund is recorded: 12.00 Eur refunded, nothing more is due.\n",
    );
  });

  test("shows an unknown amount as unknown, and refunds it for its payment issue only", async () => {
    const order = await shop.order();
    const short = order.id.slice(0, 8);
    await shop.report(aPayout(order, { loan_amount: "1e2" }));
    const { id } = await shop.issue(order, "underpaid");
    expect((await run("payment-issues", "list")).out).toMatch(
      new RegExp(`underpaid +${short} +unknown`),
    );
    const shown = (await run("orders", "show", short)).out;
    expect(shown).toMatch(/^Money {3}received unknown$/m);
    expect(shown).toMatch(/Received +unknown +provider/);
    expect((await run("payment-issues", "show", short)).out).toContain(
      `  payment-issues refund ${short} AMOUNT --method "bank transfer"`,
    );
    const refund = ["orders", "refund", short, "100", ...method];
    expect(await run(...refund)).toMatchObject({
      ...{ code: 4, out: "" },
      err: expect.stringMatching(/^Nothing can be refunded in USD\./),
    });
    expect((await run(...refund, "--issue", id)).out).toBe(
      "The refund is recorded: $100.00 refunded, nothing more is due.\n",
    );
  });

  test("refuses a refund for a payment issue of another order", async () => {
    const order = await shop.cancelledOrder();
    const refund = ["orders", "refund", order.id, "5", ...method, "--issue", randomUUID()];
    expect(await run(...refund)).toMatchObject({
      ...{ code: 2, out: "" },
      err: expect.stringContaining("issue_id: is not a payment issue of this order"),
    });
  });

  test("shows the journal of money without an order, refunds it and reverses the refund", async () => {
    const loan = aPayoutWithoutOrder(12);
    await shop.report(loan);
    const { id } = await shop.issue(loan, "unknown-order");
    expect((await run("payment-issues", "list")).out).toContain(id);
    const { out } = await run("payment-issues", "show", id);
    expect(out).toMatch(/^received \$12\.00, refund due \$12\.00$/m);
    expect(out).toMatch(/Received +\$12\.00 +provider/);
    const refund = await run("payment-issues", "refund", id, "12", ...method, "--json");
    const refundId: string = JSON.parse(refund.out).id;
    expect((await run("payment-issues", "show", id)).out).toMatch(/^Resolved {2}Refunded/m);
    const reverse = ["refunds", "reverse", id, refundId.slice(0, 8), "--reason", "returned"];
    expect((await run(...reverse)).out).toBe(
      "The refund is reversed: nothing refunded, $12.00 is still due.\n",
    );
    const writeOff = [
      "payment-issues",
      "resolve",
      id,
      "--as",
      "written-off",
      "--note",
      "unclaimed",
    ];
    expect((await run(...writeOff)).out).toBe(
      "The payment issue unknown-order is resolved: written-off.\n",
    );
    expect((await run("payment-issues", "reopen", id, "--note", "claimed")).out).toBe(
      "The payment issue unknown-order is open again.\n",
    );
  });

  test("names the loans of a cancelled order that may still be paid out", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    await shop.report(loan);
    const cancelled = await run("orders", "cancel", order.id);
    expect(cancelled.out).toBe(
      `Order ${order.id.slice(0, 8)} is Cancelled now.\nIf one of these loans is paid out, "payment-issues list" shows the refund that is due then:\n  ${loan.id}  CollateralConfirmed\n`,
    );
    expect((await run("orders", "cancel", order.id)).out).toContain(`  ${loan.id}  `);
  });

  test("says what is due in all currencies before and after an order is cancelled", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_asset: "Eur" }));
    const due = "$12.00 and 12.00 Eur";
    expect(await run("orders", "cancel", order.id)).toMatchObject({
      ...{ code: 2, out: "" },
      err: expect.stringContaining(`if you cancel it, you owe a refund of ${due}.`),
    });
    expect((await run("orders", "cancel", order.id, "--yes")).out).toContain(
      `It was paid by 2 loans: you owe a refund of ${due}.`,
    );
  });
});
