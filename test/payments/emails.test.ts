import { paths } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { sqlite } from "../harness/databases.ts";
import { anActiveLoan, aPayout, changed } from "../harness/loans.ts";
import { moneyShop, type PlacedOrder, useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { aboutRefunds, amountsIn } from "../harness/sent-emails.ts";
import { waitFor } from "../harness/wait-for.ts";

describe.concurrent("an email to a customer", () => {
  const shop = useMoneyShop(sqlite, { mail: true });

  test("does not say that the lender has paid nothing after a refund", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    await shop.report(loan);
    await shop.report(changed(loan, { status: "PrincipalGiven", loan_amount: "11.00" }));
    await shop.refunded(order, { amount: 11 });
    await shop.swept(2);
    expect(await shop.statusOf(order)).toBe("Pending");
    const emails = await shop.emailsTo(order);
    expect(amountsIn(emails, aboutRefunds)).toEqual(["$11.00"]);
    for (const { text } of emails) expect(text).not.toMatch(/has not paid out/);
  });

  test("says that the lender has paid nothing if no payout was received", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    await shop.report(loan);
    await shop.report(changed(loan, { status: "Rejected" }));
    const texts = (await shop.emailsTo(order)).map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringMatching(/has not paid out your loan/));
  });

  test("about a refund says what was refunded and what is still due", async () => {
    const order = await shop.cancelledOrder();
    await shop.refunded(order, { amount: 5 });
    const first = await shop.emailsTo(order);
    expect(amountsIn(first.slice(-1), /\$/)).toEqual(["$5.00", "$7.00"]);
    await shop.refunded(order, { amount: 7 });
    const all = await shop.emailsTo(order);
    expect(amountsIn(all.slice(-1), /\$/)).toEqual(["$7.00"]);
  });

  test("about an order that an extended loan paid twice mentions no refund", async () => {
    const order = await shop.order();
    const extended = () => aPayout(order, { status: "Extended" });
    await shop.report(aPayout(order), extended(), extended());
    okay(await shop.ship(order));
    expect(amountsIn(await shop.emailsTo(order), aboutRefunds)).toEqual([]);
  });
});

describe.concurrent("an email to the merchant", () => {
  const shop = useMoneyShop(sqlite, { mail: true });
  const about = async (order: PlacedOrder) =>
    (await shop.emailsToMerchant()).filter(({ subject }) => subject.includes(order.number));

  test("about a duplicate names the refund due of the ledger", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    expect(await shop.ledgerOf(order)).toMatchObject({ refund_due: 13 });
    expect((await about(order)).at(-1)?.subject).toContain("$13.00");
  });

  test("about a reversed payout mentions no refund", async () => {
    const order = await shop.paidOrder();
    await shop.report(changed(order.loan, { status: "Cancelled" }));
    const emails = (await about(order)).filter(({ subject }) => !subject.includes("is paid"));
    expect(emails).toHaveLength(1);
    expect(amountsIn(emails, aboutRefunds)).toEqual([]);
  });

  test("about an underpaid loan is sent once, when it is paid out", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order, { loan_amount: "7.20" });
    await shop.report(loan);
    expect(await about(order)).toEqual([]);
    await shop.report(changed(loan, { status: "PrincipalGiven" }));
    expect((await about(order)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining("$7.20"),
    ]);
  });
});

test("no email says that an order is paid and will be shipped if it was cancelled before that email was sent", async () => {
  await using shop = await moneyShop(sqlite, { mail: true });
  const order = await shop.order();
  await shop.emailsTo(order);
  await shop.shop.sandbox.setMailFault("later");
  await shop.report(aPayout(order, { loan_amount: "7.20" }));
  okay(await shop.resolve(await shop.issue(order, "underpaid"), "accepted"));
  await waitFor("the email about the payment to be refused for now", async () =>
    (await shop.orderOf(order)).deliveries.some(
      ({ channel, type, answer }) =>
        channel === "email-customer" && type === "order.paid" && answer !== null,
    ),
  );
  okay(await shop.cancel(order));
  await shop.shop.sandbox.setMailFault("none");
  okay(await shop.call("POST", paths.admin.emailsRetry));
  await waitFor("the email about the end", async () =>
    (await shop.emailsTo(order)).some(({ subject }) => subject.includes("cancelled")),
  );
  const all = [...(await shop.emailsTo(order)), ...(await shop.emailsToMerchant())];
  expect(all.filter(({ subject }) => subject.includes("is paid"))).toEqual([]);
});
