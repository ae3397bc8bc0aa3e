import { adminOrderSchema } from "@keepsats/protocol";
import type { Locator, Page } from "@playwright/test";
import { placeOrder, subscribe } from "../test/harness/customer.ts";
import { type Admin, expect, test } from "./fixtures/admin.ts";
import { requestLoan } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import type { Shop } from "./fixtures/shop.ts";
import { loseResponse } from "./fixtures/test.ts";

/** Pays an order with a loan. Returns once its payment issue is open. */
async function payWithIssue(shop: Shop, admin: Admin, order: { id: string; total_price: number }) {
  const loanId = await requestLoan(shop, order);
  // A loan of an order with a subscriber is checked at once, without waiting for the next sweep.
  const subscriber = await subscribe(shop, order.id, loanId);
  await expect
    .poll(async () => JSON.stringify(await admin.call("payment-issues?state=open")))
    .toContain(order.id);
  await subscriber.close();
}

/** Pays an order after its cancellation, which opens a payment issue. Returns the order's id. */
async function payCancelled(shop: Shop, admin: Admin): Promise<string> {
  const order = await placeOrder(shop);
  await admin.call(`orders/${order.id}/transitions`, { to: "Cancelled" });
  await payWithIssue(shop, admin, order);
  return order.id;
}

/** Pays half of an order of $45.00. Returns the order's id. */
async function payHalf(shop: Shop, admin: Admin): Promise<string> {
  const order = await placeOrder(shop);
  await payWithIssue(shop, admin, { ...order, total_price: order.total_price / 2 });
  return order.id;
}

async function readOrder(admin: Admin, id: string) {
  return adminOrderSchema.parse(await admin.call(`orders/${id}`));
}

const cardOf = (page: Page, orderId: string) =>
  page.getByRole("listitem").filter({ hasText: orderId.slice(0, 8) });
const press = (card: Locator, name: RegExp) => card.getByRole("button", { name }).click();

// In one worker: while the other tests run, the next sweep finds the money without an order.
test.describe.configure({ mode: "default" });
let loanId: string;
test.beforeAll(async ({ shop }) => {
  loanId = await requestLoan(shop, { id: crypto.randomUUID(), total_price: 12 });
});

test("a payment issue shows its money and is refunded in parts, also by a colleague", async ({
  page,
  shop,
  admin,
  console,
}) => {
  const orderId = await payCancelled(shop, admin);
  await admin.open(page, "/payments");
  const card = cardOf(page, orderId);
  const dialog = page.getByRole("dialog");
  const amount = dialog.getByLabel("Amount in dollars");

  await test.step("it shows what happened, the amount and the next step", async () => {
    await expect(card).toContainText("The shop has received money for an order that is cancelled.");
    await expect(card).toContainText("Needs a decision$45.00");
    await expect(card).toContainText("Refund the money, or keep it if the customer agrees.");
    await expect(card).toContainText("Ada Lovelace");
    const names = card.getByRole("button");
    await expect(names).toHaveText(["Refund…", "Keep the money"]);
  });
  await expectFitAndAccessible(page);

  await test.step("a link in an email shows only the payment issues of one kind", async () => {
    await page.goto(`${admin.url}/payments?kind=duplicate`);
    await expect(page.getByText("No payment issues of this kind.")).toBeVisible();
    await page.goto(`${admin.url}/payments?kind=paid-after-cancel`);
    await expect(card).toBeVisible();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(page).toHaveURL(`${admin.url}/payments`);
  });

  await test.step("a refund whose response was lost is recorded once", async () => {
    console.expect(/ERR_FAILED/);
    await press(card, /^Refund/);
    await expect(amount).toBeFocused();
    await expect(amount).toHaveValue("45.00");
    await expect(dialog).toHaveAccessibleDescription(/^To refund \$45\.00/);
    await amount.fill("1");
    await dialog.getByLabel("Reason, for staff only").fill("the first dollar in cash");
    await loseResponse(page, "**/refunds");
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(dialog.getByText(/The shop could not be reached/)).toBeVisible();
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(page.getByText("Refund of $1.00 recorded")).toBeVisible();
    await expect(page.getByText("Refund due: $44.00.")).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(card).toContainText("$1.00 has already been refunded. $44.00 is left.");
    await expect(card).toContainText("Needs a decision$44.00Refunded$1.00");
    const { ledger } = await readOrder(admin, orderId);
    expect(ledger.refunded).toBe(100);
    expect(ledger.entries.map(({ reason }) => reason)).toContain("the first dollar in cash");
  });

  await test.step("a refund is refused if a colleague has recorded another one first", async () => {
    console.expect(/status of 409/);
    await press(card, /^Refund/);
    await expect(amount).toHaveValue("44.00");
    await admin.call(`orders/${orderId}/refunds`, { amount: 2, method: "cash" });
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(dialog).toContainText("This refund was not recorded.");
    await expect(amount).toHaveValue("42.00");
    await expect(dialog).toContainText("Refunded so far$3.00");
  });

  await test.step("the last refund resolves it", async () => {
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(page.getByText("Refund of $42.00 recorded")).toBeVisible();
    await expect(card).toHaveCount(0);
    expect((await readOrder(admin, orderId)).ledger).toMatchObject({
      refunded: 4_500,
      refund_due: 0,
    });
    await page.getByRole("button", { name: "Resolved" }).click();
    await expect(card).toContainText("Refunded by Owner");
    await expect(card.getByRole("button")).toHaveCount(0);
  });
});

test("a decision about a payment issue is shown to a colleague and undone", async ({
  page,
  shop,
  admin,
  console,
}) => {
  const orderId = await payCancelled(shop, admin);
  await admin.open(page, "/payments");
  const card = cardOf(page, orderId);
  const dialog = page.getByRole("dialog");
  const note = dialog.getByLabel("Note, for staff only");

  await test.step("a colleague is faster, and the typed note is kept", async () => {
    console.expect(/status of 409/);
    await press(card, /^Keep the money/);
    await note.fill("agreed on the phone");
    const { payment_issues } = await readOrder(admin, orderId);
    const path = `payment-issues/${payment_issues[0]?.id}/resolution`;
    await admin.call(path, { kind: "accepted", note: "a gift" });
    await dialog.getByRole("button", { name: "Keep the money" }).click();
    await expect(dialog.getByRole("alert")).toContainText("resolved as accepted by admin: a gift");
    await expect(note).toHaveValue("agreed on the phone");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("the resolution is undone", async () => {
    await page.getByRole("button", { name: "Resolved" }).click();
    await expect(card).toContainText("a gift");
    await press(card, /^Reopen/);
    await note.fill("no gift");
    await dialog.getByRole("button", { name: "Reopen" }).click();
    await expect(page.getByText("Payment issue reopened")).toBeVisible();
    await page.getByRole("button", { name: "Needs attention" }).click();
    await expect(card).toContainText("Needs a decision$45.00");
  });

  await test.step("a decision whose response was lost is made once", async () => {
    console.expect(/ERR_FAILED/);
    await press(card, /^Keep the money/);
    await dialog.getByRole("button", { name: "Keep the money" }).click();
    await expect(dialog.getByText("Enter a note")).toBeVisible();
    await note.fill("agreed on the phone");
    await loseResponse(page, "**/resolution");
    await dialog.getByRole("button", { name: "Keep the money" }).click();
    await expect(dialog.getByRole("alert")).toContainText("The shop could not be reached.");
    await expect(card).toHaveCount(0);
  });

  await test.step("the order's journal has each step, with the decisions apart", async () => {
    await page.goto(`${admin.url}/orders/${orderId}`);
    const journal = page.getByRole("table", { name: "Journal" });
    await expect(journal.getByRole("rowheader")).toHaveText([
      /^Received.* by the loan provider/,
      "Decisions of staff, which move no money",
      /^Kept.* by Owneragreed on the phone|^Kept.* by OwnerLoan .*agreed on the phone/,
      /^Kept: undone.*no gift/,
      /^Kept.*a gift/,
    ]);
    await expect(page.getByRole("region", { name: "Money" })).toContainText("Kept$45.00");
  });
});

test("a loan of half the total is accepted, and the order is shipped with the rest waived", async ({
  page,
  shop,
  admin,
}) => {
  const orderId = await payHalf(shop, admin);
  await admin.open(page, "/payments");
  const card = cardOf(page, orderId);
  const dialog = page.getByRole("dialog");
  await expect(card).toContainText("Needs a decision$22.50");
  await press(card, /^Accept as payment/);
  await dialog.getByLabel("Note, for staff only").fill("a friend");
  await dialog.getByRole("button", { name: "Accept as payment" }).click();
  await expect(card).toHaveCount(0);
  await page.goto(`${admin.url}/orders/${orderId}`);
  await expect(page.getByText("To ship", { exact: true })).toBeVisible();
  const money = page.getByRole("region", { name: "Money" });
  await expect(money).toContainText("Received$22.50Kept$22.50Waived$22.50");
  await expectFitAndAccessible(page, { check: () => expect(money).toBeVisible() });
});

test("money without an order has its own journal", async ({ page, admin }) => {
  await expect
    .poll(async () => JSON.stringify(await admin.call("payment-issues?state=open")), {
      timeout: 30_000,
    })
    .toContain(loanId);
  await admin.open(page, "/payments");
  const card = page.getByRole("listitem").filter({ hasText: loanId });
  const dialog = page.getByRole("dialog");
  await expect(card.getByRole("button")).toHaveText([
    "Refund…",
    "Keep the money",
    "Write off",
    "Journal",
  ]);
  await press(card, /^Refund/);
  await dialog.getByRole("button", { name: "Record refund" }).click();
  await expect(page.getByText("Refund of $12.00 recorded")).toBeVisible();
  await expect(card).toHaveCount(0);

  await page.getByRole("button", { name: "Resolved" }).click();
  await press(card, /^Journal/);
  await press(dialog, /^Refund did not arrive/);
  const reversal = page.getByRole("dialog", { name: "Refund did not arrive" });
  await reversal.getByLabel("Reason, for staff only").fill("wrong number");
  await reversal.getByRole("button", { name: "Reverse the refund" }).click();
  await expect(reversal).toBeHidden();
  await expect(dialog.getByRole("rowheader").first()).toContainText("Refund did not arrive");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Needs attention" }).click();
  await expect(card).toContainText("Needs a decision$12.00");
});
