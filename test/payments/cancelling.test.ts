import { describe, expect, test } from "vitest";
import type { AppTimes } from "../../apps/server/src/app.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { isError, isStatus } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { anActiveLoan, aPayout, changed } from "../harness/loans.ts";
import { type PlacedOrder, useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { aboutRefunds, amountsIn, type Email } from "../harness/sent-emails.ts";
import { waitFor } from "../harness/wait-for.ts";

const NOTHING_TO_PAY = "nothing for you to pay";

/** The email that says that an order was cancelled. */
function cancellationIn(emails: readonly Email[]): Email {
  const found = emails.find(({ subject }) => /cancelled/i.test(subject));
  if (found === undefined) throw new Error(`no such email: ${JSON.stringify(emails)}`);
  return found;
}

describe.concurrent.each(databaseKinds)("an order that staff cancel on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });

  test("without a loan costs the customer nothing, as the email says", async () => {
    const order = await shop.order();
    okay(await shop.cancel(order));
    expect(cancellationIn(await shop.emailsTo(order)).text).toContain(NOTHING_TO_PAY);
  });

  test("after it was paid is refunded, as the email says", async () => {
    const order = await shop.paidOrder();
    okay(await shop.cancel(order));
    const emails = await shop.emailsTo(order);
    expect(amountsIn(emails, aboutRefunds)).toEqual(["$12.00"]);
    expect(cancellationIn(emails).text).not.toContain(NOTHING_TO_PAY);
    expect(await shop.ledgerOf(order)).toMatchObject({ refund_due: 12 });
    expect(await shop.shop.metrics()).toMatch(
      /^keepsats_payment_issues_total\{kind="paid-after-cancel"\} [1-9]/m,
    );
  });

  test("while a loan for it is active is answered with that loan, and the email explains its effect", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    await shop.report(loan);
    expect(await shop.cancel(order)).toMatchObject({
      status: 200,
      body: { open_loans: [{ id: loan.id, state: "active" }] },
    });
    const cancelled = cancellationIn(await shop.emailsTo(order));
    expect(cancelled.text).not.toContain(NOTHING_TO_PAY);
    expect(cancelled.text).toMatch(/loan/i);
    await shop.report(changed(loan, { status: "PrincipalGiven" }));
    const toMerchant = await shop.emailsToMerchant();
    const aboutOrder = toMerchant.filter(({ subject }) => subject.includes(order.number));
    expect(aboutOrder.at(-1)?.subject).toContain("$12.00");
  });

  test("while a presented loan is unclear is answered with that loan, and the email names no amount", async () => {
    const order = await shop.order();
    const loan = aPayout(order, { loan_amount: { value: "12.00" }, client_contract_id: null });
    shop.provider.setContract(loan);
    const page = await shop.subscribe(order, loan);
    await page.until("the answer about it", isError("ConnectionError"));
    await page.close();
    expect(await shop.cancel(order)).toMatchObject({
      status: 200,
      body: { open_loans: [{ id: loan.id, provider_status: null, state: "unknown" }] },
    });
    const cancelled = cancellationIn(await shop.emailsTo(order));
    expect(cancelled.text).not.toContain(NOTHING_TO_PAY);
    expect(amountsIn([cancelled], aboutRefunds)).toEqual([]);
  });

  test("with money of two loans is refunded in full", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    okay(await shop.cancel(order));
    expect(amountsIn([cancellationIn(await shop.emailsTo(order))], aboutRefunds)).toEqual([
      "$25.00",
    ]);
    await shop.refunded(order, { amount: 25 });
    expect(await shop.openIssues(order)).toEqual([]);
  });

  test("after a partial refund is refunded the rest", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    await shop.refunded(order, { amount: 1 });
    okay(await shop.cancel(order));
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 13, refunded: 1, refund_due: 12 });
    expect(amountsIn([cancellationIn(await shop.emailsTo(order))], aboutRefunds)).toEqual([
      "$12.00",
    ]);
  });

  test("is not cancelled if its status is no longer the one that they have seen", async () => {
    const order = await shop.paidOrder();
    expect(await shop.cancel(order, { expected_status: "Pending" })).toMatchObject({
      status: 409,
      body: { code: "status_changed", current_status: "PaymentProcessed" },
    });
    expect(await shop.statusOf(order)).toBe("PaymentProcessed");
  });
});

describe.concurrent.each(databaseKinds)("an order with an unswept loan on $name", (kind) => {
  // Nothing reads a loan by itself, so that only the cancellation can learn about it.
  const times: Partial<AppTimes> = {
    subscribedInterval: HOUR,
    minUnsubscribedInterval: HOUR,
    maxUnsubscribedInterval: HOUR,
    absentBackoff: HOUR,
    minSweepPause: HOUR,
    maxSweepPause: HOUR,
  };
  const shop = useMoneyShop(kind, { mail: true, times });

  /** An order whose loan was active when its page presented it. */
  async function orderWithActiveLoan(): Promise<{
    order: PlacedOrder;
    loan: ReturnType<typeof aPayout>;
  }> {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    shop.provider.setContract(loan);
    const page = await shop.subscribe(order, loan);
    await page.until("the loan", isStatus("PaymentProcessing"));
    await page.close();
    // The page is sent the order a moment before this check of its loan ends.
    const ended = `SELECT 1 FROM payment_checks WHERE order_id = '${order.id}' AND leased_until = 0`;
    await waitFor("the check", async () => (await shop.testDatabase.run(ended)).length > 0);
    return { order, loan };
  }

  test("that was paid out a moment ago is refunded when staff cancel it, because the provider is checked first", async () => {
    const { order, loan } = await orderWithActiveLoan();
    shop.provider.setContract(changed(loan, { status: "PrincipalGiven" }));
    await shop.cancel(order);
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 12 });
    for (const { text } of await shop.emailsTo(order)) expect(text).not.toContain(NOTHING_TO_PAY);
  });

  test("that was paid out a moment ago is not cancelled by its customer", async () => {
    const { order, loan } = await orderWithActiveLoan();
    shop.provider.setContract(changed(loan, { status: "PrincipalGiven" }));
    expect(await shop.cancelAsCustomer(order)).toMatchObject({ status: 409 });
    expect(await shop.statusOf(order)).toBe("PaymentProcessed");
  });

  test("that has ended a moment ago costs the customer nothing when staff cancel it", async () => {
    const { order, loan } = await orderWithActiveLoan();
    shop.provider.setContract(changed(loan, { status: "Rejected" }));
    okay(await shop.cancel(order));
    expect(cancellationIn(await shop.emailsTo(order)).text).toContain(NOTHING_TO_PAY);
  });
});

describe.concurrent.each(databaseKinds)("an order that its customer cancels on $name", (kind) => {
  const shop = useMoneyShop(kind);

  test("is refused while its underpaid money is not refunded, and cancelled once it is", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    await shop.report(loan);
    await shop.report(changed(loan, { status: "PrincipalGiven", loan_amount: "11.00" }));
    expect(await shop.cancelAsCustomer(order)).toMatchObject({ status: 409 });
    await shop.refunded(order, { amount: 11 });
    await shop.swept();
    expect(await shop.cancelAsCustomer(order)).toMatchObject({ status: 200 });
    expect(await shop.orderOf(order)).toMatchObject({
      status: "Cancelled",
      ledger: { received: 11, refunded: 11, refund_due: 0 },
    });
  });
});
