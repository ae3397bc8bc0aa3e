import { follow, placeOrder } from "../test/harness/customer.ts";
import { type Desk, expect, test } from "./fixtures/desk.ts";
import { requestLoan } from "./fixtures/orders.ts";
import {
  expectNoHorizontalScrolling,
  expectNoViolations,
  forEachLook,
} from "./fixtures/page-checks.ts";
import type { Shop } from "./fixtures/shop.ts";

/** Pays an order after its cancellation, which opens a payment issue. @returns the order's id */
async function payCancelled(shop: Shop, desk: Desk): Promise<string> {
  const order = await placeOrder(shop);
  await desk.call(`orders/${order.id}/transitions`, { to: "Cancelled" });
  const loanId = await requestLoan(shop, order);
  // A loan of an order with a subscriber is checked at once, without waiting for the next sweep.
  const follower = await follow(shop, order.id, loanId);
  await expect
    .poll(async () => JSON.stringify(await desk.call("payment-issues?state=open")))
    .toContain(order.id);
  await follower.close();
  return order.id;
}

test("a payment issue says what happened, is resolved with its refund, and tells a second member of staff", async ({
  page,
  shop,
  desk,
  console,
}) => {
  const refunded = await payCancelled(shop, desk);
  const dismissed = await payCancelled(shop, desk);
  await desk.open(page, "/payments");
  const card = (id: string) => page.getByRole("listitem").filter({ hasText: id.slice(0, 8) });
  const dialog = page.getByRole("dialog");

  await test.step("it says what happened and what to do", async () => {
    await expect(card(refunded)).toContainText(
      "A loan was paid out for an order that is cancelled.",
    );
    await expect(card(refunded)).toContainText(
      "Refund the money: a cancelled order stays cancelled.",
    );
    await expect(card(refunded)).toContainText("Ada Lovelace");
    await expect(card(refunded).getByRole("button", { name: /^Accept as payment/ })).toHaveCount(0);
  });
  await forEachLook(page, async () => {
    await expectNoViolations(page);
    await expectNoHorizontalScrolling(page);
  });

  await test.step("a link of Today shows only the payment issues of one kind", async () => {
    await page.goto(`${desk.url}/payments?kind=duplicate`);
    await expect(page.getByText("No payment issues of this kind.")).toBeVisible();
    await page.goto(`${desk.url}/payments?kind=paid-after-cancel`);
    await expect(card(refunded)).toBeVisible();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(page).toHaveURL(`${desk.url}/payments`);
  });

  await test.step("a partial refund is recorded, and the rest is still due", async () => {
    await card(refunded)
      .getByRole("button", { name: /^Refund/ })
      .click();
    await expect(dialog.getByLabel("Amount in dollars")).toBeFocused();
    await expect(dialog).toHaveAccessibleDescription(
      /^A loan was paid out for an order that is cancelled\./,
    );
    await dialog.getByLabel("Amount in dollars").fill("1");
    await dialog.getByLabel("Note, for staff only").fill("the first dollar in cash");
    await expect(dialog.getByText(/^Still due: \$[\d.]+\.$/)).toBeVisible();
    const [, rest = ""] = /Still due: \$([\d.]+)\./.exec((await dialog.textContent()) ?? "") ?? [];
    await test.step("a retry after a lost note does not record the refund twice", async () => {
      console.expect(/ERR_FAILED/);
      await page.route("**/notes", (route) => route.abort(), { times: 1 });
      await dialog.getByRole("button", { name: "Refund $1.00" }).click();
      await expect(dialog.getByText(/The shop could not be reached/)).toBeVisible();
      await expect(dialog).toContainText("$1.00 of this order is refunded.");
      await expect(dialog).toContainText(
        "Sent: $1.00 by bank transfer. A retry records it only once.",
      );
      await expect(dialog.getByLabel("Amount in dollars")).toHaveCount(0);
      await expect(dialog.getByText(/^Still due/)).toHaveText(`Still due: $${rest}.`);
    });
    await dialog.getByRole("button", { name: "Refund $1.00" }).click();
    await expect(page.getByText("Refund of $1.00 recorded.")).toBeVisible();
    await expect(page.getByText(`Still due: $${rest}.`)).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(card(refunded)).toContainText("$1.00 was refunded already");
    expect(JSON.stringify(await desk.call(`orders/${refunded}`))).toContain(
      "the first dollar in cash",
    );
  });

  await test.step("a refund is refused if a colleague has recorded another one first", async () => {
    console.expect(/status of 409/);
    await card(refunded)
      .getByRole("button", { name: /^Refund/ })
      .click();
    await dialog.getByLabel("Note, for staff only").fill("transferred");
    const shown = Number(await dialog.getByLabel("Amount in dollars").inputValue());
    await page.route("**/refunds", (route) => route.abort(), { times: 1 });
    await dialog.getByRole("button", { name: "Refund", exact: true }).click();
    await expect(dialog.getByText(/The shop could not be reached/)).toBeVisible();
    await desk.call(`orders/${refunded}/refunds`, { amount: 2, method: "cash" });
    await expect(dialog).toContainText("$3.00 of this order is refunded.");
    await expect(dialog).toContainText(`Sent: $${shown.toFixed(2)} by bank transfer.`);
    await dialog.getByRole("button", { name: "Refund", exact: true }).click();
    await expect(dialog).toContainText("This refund was not recorded.");
    await expect(dialog.getByLabel("Amount in dollars")).toHaveValue((shown - 2).toFixed(2));
    expect(JSON.stringify(await desk.call(`orders/${refunded}`))).toMatch(/"refunded":3\b/);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Close without saving" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("the refund due is recorded with the resolution", async () => {
    const [, due] =
      /"refund_due":([\d.]+)/.exec(JSON.stringify(await desk.call(`orders/${refunded}`))) ?? [];
    await card(refunded)
      .getByRole("button", { name: /^Refund/ })
      .click();
    await expect(dialog).toContainText("$3.00 of this order is refunded.");
    await expect(dialog.getByLabel("Amount in dollars")).toHaveValue(Number(due).toFixed(2));
    await dialog.getByRole("button", { name: "Refund", exact: true }).click();
    await expect(dialog.getByText("Enter a note")).toBeVisible();
    await dialog.getByLabel("Note, for staff only").fill("transferred on Monday");
    // It is resolved, and the answer is lost.
    await page.route(
      "**/resolution",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByRole("button", { name: "Refund", exact: true }).click();
    await expect(page.getByText("The payment issue is resolved.")).toBeVisible();
    await expect(card(refunded)).toHaveCount(0);
    const order = JSON.stringify(await desk.call(`orders/${refunded}`));
    expect(order).toMatch(/"refund_due":0\b/);
    expect(order).toContain("bank transfer");
  });

  await test.step("a second member of staff sees the resolution, and their note stays", async () => {
    await card(dismissed)
      .getByRole("button", { name: /^Dismiss/ })
      .click();
    await dialog.getByLabel("Note, for staff only").fill("asked the provider");
    const open = JSON.stringify(await desk.call("payment-issues?state=open"));
    const id = /"id":"([^"]+)"/.exec(
      open.slice(open.lastIndexOf('{"id"', open.indexOf(dismissed))),
    )?.[1];
    await desk.call(`payment-issues/${id}/resolution`, { kind: "dismissed", note: "a gift" });
    await expect(dialog).toContainText("Dismissed by merchant: a gift");
    await expect(dialog).toContainText("Your note was not saved: asked the provider");
    await dialog.getByRole("button", { name: "Close" }).last().click();
  });

  await test.step("both are listed as resolved", async () => {
    await page.getByRole("button", { name: "Resolved" }).click();
    await expect(card(refunded)).toContainText("Refunded by Owner: transferred on Monday");
    await expect(card(dismissed)).toContainText("a gift");
  });
});
