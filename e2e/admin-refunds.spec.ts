import { expect, test } from "./fixtures/admin.ts";
import { placePaidOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";

test("staff refund a part of a paid order, which the customer sees at once", async ({
  page,
  shop,
  admin,
  browser,
}) => {
  const order = await placePaidOrder(shop);
  const context = await browser.newContext();
  const customer = await context.newPage();
  await customer.goto(`${shop.url}${order.link}`);
  await expect(customer.getByRole("heading", { name: "Payment processed" })).toBeVisible();
  await admin.open(page, `/orders/${order.id}`);
  const dialog = page.getByRole("dialog");
  const amount = dialog.getByLabel("Amount in dollars");
  const pieces = dialog.getByLabel("Pieces (at most 1): Moka Pot");
  const restock = dialog.getByLabel("Restock: Moka Pot");

  await test.step("the amount and the restocked pieces follow from the chosen pieces", async () => {
    await page.getByRole("button", { name: "Refund…" }).click();
    await expect(dialog).toContainText("Can be refunded$45.00");
    await expect(amount).toHaveValue("");
    await pieces.fill("1");
    await expect(amount).toHaveValue("45.00");
    await expect(restock).toHaveValue("0");
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(dialog.getByRole("group", { name: "Kind" })).toContainText("Choose a kind.");
    await dialog.getByLabel("Return").check();
    await expect(dialog.getByText("Choose a kind.")).toHaveCount(0);
    await expect(restock).toHaveValue("1");
  });
  await expectFitAndAccessible(page);

  await test.step("the order shows the refund, and keeps its status", async () => {
    await amount.fill("20");
    await dialog.getByLabel("Reason, for staff only").fill("a scratch");
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(page.getByText("Refund of $20.00 recorded")).toBeVisible();
    await expect(page.getByText("Refunded $20.00", { exact: true })).toBeVisible();
    await expect(page.getByText("To ship", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Money" })).toContainText(
      "Received$45.00Kept$25.00Refund granted$20.00Refunded$20.00",
    );
    await expect(page.getByText(/^\$20\.00, return: 1 × Moka Pot/)).toBeVisible();
  });

  await test.step("the customer's page shows it", async () => {
    await expect(customer.getByText("Refunded $20.00", { exact: true })).toBeVisible();
    await expect(customer.getByRole("heading", { name: "Payment processed" })).toBeVisible();
    await expectFitAndAccessible(customer);
  });

  await test.step("after a refund that did not arrive, it is due and needs no kind", async () => {
    await page.getByRole("button", { name: /^Refund did not arrive/ }).click();
    await dialog.getByLabel("Reason, for staff only").fill("wrong number");
    await dialog.getByRole("button", { name: "Reverse the refund" }).click();
    await expect(page.getByText("Refund due: $20.00.")).toBeVisible();
    await expect(
      page.getByText("A granted refund of $20.00 did not arrive, and is due again."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Refund…" }).click();
    await expect(dialog).toContainText("To refund$20.00");
    await expect(dialog.getByText("Kind", { exact: true })).toHaveCount(0);
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await expect(page.getByText("Refund due")).toHaveCount(0);
  });
  await context.close();
});
