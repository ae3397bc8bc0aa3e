import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { sqlite } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { staffOf } from "../harness/money-staff.ts";
import { startScriptedProvider } from "../harness/provider.ts";
import { providerSettings, startServer } from "../harness/server-process.ts";

const asksToCheck = /check|ask the provider/i;

describe.concurrent("an overpayment", () => {
  const shop = useMoneyShop(sqlite, { mail: true });

  test("is one issue, however often the provider reports it", async () => {
    const order = await shop.order();
    const loan = aPayout(order, { loan_amount: "13.00" });
    await shop.report(loan);
    await shop.report(changed(loan, { status: "RepaymentConfirmed" }));
    expect((await shop.issuesOf(order)).map(({ kind }) => kind)).toEqual(["overpaid"]);
    expect(await shop.journalOf(order)).toEqual(["received 13"]);
  });

  test("of a cent more needs a check with the provider before it is refunded, as the email says", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "124.01" }));
    expect((await shop.issue(order, "overpaid")).detail).toMatch(asksToCheck);
    const emails = (await shop.emailsToMerchant()).filter(
      ({ subject }) => subject.includes(order.number) && !subject.includes("is paid"),
    );
    expect(emails.map(({ text }) => text)).toEqual([expect.stringMatching(asksToCheck)]);
  });
});

test("OVERPAYMENT_LIMIT_DOLLARS sets the limit above which an overpayment is checked", async () => {
  await using testDatabase = await sqlite.newTestDatabase();
  await using scripted = await startScriptedProvider();
  const token = randomUUID();
  const provider = { url: scripted.url, key: "a-key" };
  await using server = await startServer({
    cwd: "/",
    databaseUrl: testDatabase.url,
    provider,
    env: { ...providerSettings(provider), ADMIN_TOKEN: token, OVERPAYMENT_LIMIT_DOLLARS: "20" },
  });
  const staff = staffOf({ url: server.url, token });
  const detailOfPayout = async (loan_amount: string) => {
    const { id } = await placeOrder(server, {
      items: [{ item_id: "brass-sharpener", quantity: 1 }],
    });
    const loan = aPayout({ id, total: 12 }, { loan_amount });
    scripted.setContract(loan);
    const page = await subscribe(server, id, loan.id);
    await page.until("the payment", isStatus("PaymentProcessed"));
    await page.close();
    return (await staff.issue({ id }, "overpaid")).detail;
  };
  expect(await detailOfPayout("20.00")).not.toMatch(asksToCheck);
  expect(await detailOfPayout("20.01")).toMatch(asksToCheck);
});
