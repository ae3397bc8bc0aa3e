import { expect, test } from "./fixtures/admin.ts";
import { placePaidOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";

test("a customer requests a return, staff accept, receive and refund it, and the customer sees it", async ({
  page,
  shop,
  admin,
  browser,
}) => {
  const order = await placePaidOrder(shop);
  await admin.call(`orders/${order.id}/transitions`, { to: "Shipped" });
  await admin.call(`orders/${order.id}/transitions`, { to: "Delivered" });
  const context = await browser.newContext();
  const customer = await context.newPage();
  await customer.goto(`${shop.url}${order.link}`);
  const request = customer.getByRole("dialog");
  const returns = customer.getByRole("region", { name: "Returns" });

  await test.step("the customer chooses pieces and gives a reason", async () => {
    await customer.getByRole("button", { name: "Request a return" }).click();
    await expect(request.getByLabel("Moka pot")).toHaveValue("1");
    await request.getByRole("button", { name: "Request return" }).click();
    await expect(request.getByRole("alert")).toHaveText("Enter a reason.");
    await expectFitAndAccessible(customer);
    await request.getByLabel("Reason").fill("It is too small");
    await request.getByRole("button", { name: "Request return" }).click();
    await expect(returns).toContainText("Return requested1 × Moka Pot");
    await expect(customer.getByRole("button", { name: "Request a return" })).toHaveCount(0);
    await expect(customer.getByText("Your order has been delivered!")).toBeVisible();
  });

  await test.step("the customer withdraws the request, and requests the return again", async () => {
    await expectFitAndAccessible(customer);
    await returns.getByRole("button", { name: "Withdraw request" }).click();
    await expect(returns).toContainText("Return request withdrawn1 × Moka Pot");
    await expect(customer.getByRole("heading", { level: 1 })).toBeFocused();
    await customer.getByRole("button", { name: "Request a return" }).click();
    await request.getByLabel("Reason").fill("It is too small");
    await request.getByRole("button", { name: "Request return" }).click();
    await expect(returns).toContainText("Return requested1 × Moka Pot");
  });

  await test.step("Today leads staff to the request", async () => {
    await admin.open(page, "/");
    await page.getByRole("link", { name: /returns? requested$/ }).click();
    await expect(page.getByRole("heading", { name: "Open returns" })).toBeVisible();
    await expectFitAndAccessible(page);
    await page.getByRole("link", { name: order.number }).click();
  });
  const section = page.getByRole("region", { name: "Returns" });
  const dialog = page.getByRole("dialog");

  await test.step("staff accept it with a text, and mark it as received", async () => {
    await expect(section).toContainText("The customer's reason: It is too small");
    await section.getByRole("button", { name: "Accept…" }).click();
    await dialog.getByLabel("Text for the customer").fill("Send it to 1 Main Street.");
    await expectFitAndAccessible(page);
    await dialog.getByRole("button", { name: "Accept the return" }).click();
    await expect(returns).toContainText("Return accepted");
    await expect(returns).toContainText("Send it to 1 Main Street.");
    await section.getByRole("button", { name: "Mark as received…" }).click();
    await dialog.getByRole("button", { name: "Mark as received" }).click();
    await expect(returns).toContainText("Return arrived");
  });

  await test.step("staff refund its pieces, which are filled in", async () => {
    await section.getByRole("button", { name: "Refund…", exact: true }).click();
    await expect(dialog.getByLabel("Pieces (at most 1): Moka pot")).toHaveValue("1");
    await expect(dialog.getByLabel("Restock: Moka pot")).toHaveValue("1");
    await expect(dialog.getByLabel("Amount in dollars")).toHaveValue("45.00");
    await expectFitAndAccessible(page);
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(section).toContainText("Return refunded");
    await expect(page.getByText("Delivered", { exact: true }).first()).toBeVisible();
  });

  await test.step("the customer sees the refund", async () => {
    await expect(returns).toContainText("Return refunded");
    await expect(customer.getByText("Refunded $45.00", { exact: true })).toBeVisible();
    await expectFitAndAccessible(customer);
  });
  await context.close();
});

test("staff open a return of a shipped order, and decline it", async ({ page, shop, admin }) => {
  const order = await placePaidOrder(shop);
  await admin.call(`orders/${order.id}/transitions`, { to: "Shipped" });
  await admin.open(page, `/orders/${order.id}`);
  const dialog = page.getByRole("dialog");
  const section = page.getByRole("region", { name: "Returns" });
  await page.getByRole("button", { name: "Return…" }).click();
  await dialog.getByLabel("Pieces (at most 1): Moka pot").fill("0");
  await dialog.getByLabel("Reason, for staff only").fill("broken");
  await dialog.getByRole("button", { name: "Open the return" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Choose the pieces that come back.");
  await dialog.getByLabel("Pieces (at most 1): Moka pot").fill("1");
  await expectFitAndAccessible(page);
  await dialog.getByRole("button", { name: "Open the return" }).click();
  await expect(section).toContainText("Return accepted");
  await expect(page.getByRole("button", { name: "Return…" })).toHaveCount(0);
  await section.getByRole("button", { name: "Decline…" }).click();
  await dialog.getByRole("button", { name: "Decline the return" }).click();
  await expect(section).toContainText("Return declined");
  await expect(page.getByRole("button", { name: "Return…" })).toBeVisible();
});

test("a return whose price is refunded already is completed without a refund", async ({
  page,
  shop,
  admin,
}) => {
  const order = await placePaidOrder(shop);
  await admin.call(`orders/${order.id}/transitions`, { to: "Shipped" });
  const lines = [{ item_id: "moka-pot", quantity: 1 }];
  await admin.call(`orders/${order.id}/returns`, { lines, reason: "broken" });
  const goodwill = { amount: 45, method: "cash", grant: "goodwill" };
  await admin.call(`orders/${order.id}/refunds`, goodwill);
  await admin.open(page, `/orders/${order.id}`);
  const dialog = page.getByRole("dialog");
  const section = page.getByRole("region", { name: "Returns" });
  await section.getByRole("button", { name: "Mark as received…" }).click();
  await dialog.getByRole("button", { name: "Mark as received" }).click();
  await expect(section).toContainText("The whole price is refunded already.");
  await section.getByRole("button", { name: "Complete without a refund…" }).click();
  await expect(dialog.getByLabel("Pieces (at most 1): Moka pot")).toHaveValue("1");
  await expectFitAndAccessible(page);
  await dialog.getByRole("button", { name: "Complete the return" }).click();
  await expect(section).toContainText("Return completed without a refund");
  await expect(section.getByRole("button")).toHaveCount(0);
});
