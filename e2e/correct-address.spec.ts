import { placePaidOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible, expectUncovered } from "./fixtures/page-checks.ts";
import { openNewOrder } from "./fixtures/saved-orders.ts";
import { expect, test } from "./fixtures/test.ts";

test("the shipping address is corrected, with the messages of the checkout", async ({
  page,
  console,
  shop,
}) => {
  console.expect(/Failed to (?:correct|load)/);
  await openNewOrder(page, shop);
  await page.getByRole("button", { name: "Correct address" }).click();
  const dialog = page.getByRole("dialog", { name: "Correct the shipping address" });
  await expect(dialog.getByLabel("Street")).toBeFocused();
  await dialog.getByLabel("City").fill(" ");
  await dialog.getByRole("button", { name: "Save address" }).click();
  await expect(dialog.getByText("City is required")).toBeVisible();
  await expect(dialog.getByLabel("City")).toBeFocused();
  await dialog.getByLabel("City").fill("Cambridge");
  await expect(dialog.getByText("City is required")).toBeHidden();
  // Another tab corrects the address first.
  await page.route(
    "**/api/orders/*",
    async (route) => {
      const { shipping_address } = route.request().postDataJSON();
      const postData = JSON.stringify({
        shipping_address: { ...shipping_address, city: "Paris" },
      });
      await route.fetch({ postData });
      await route.continue();
    },
    { times: 1 },
  );
  await dialog.getByRole("button", { name: "Save address" }).click();
  await expectUncovered(dialog.getByRole("alert").filter({ hasText: ", Paris, Greater London," }));
  await dialog.getByRole("button", { name: "Save address" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator("address")).toContainText("Cambridge, Greater London");
  await expect(page.getByRole("button", { name: "Correct address" })).toBeFocused();
});

test("a correction while the order ships is refused with a reason, and the input stays", async ({
  page,
  shop,
}) => {
  const { id: orderId, link } = await placePaidOrder(shop);
  await page.goto(link);
  await expect(page.getByText("Your payment has been processed")).toBeVisible();
  await page.getByRole("button", { name: "Correct address" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("City").fill("Cambridge");
  await shop.cli("orders", "ship", orderId);
  await expect(dialog.getByRole("alert")).toContainText("This order is now shipped");
  await expect(dialog.getByLabel("City")).toHaveValue("Cambridge");
  await expect(dialog.getByRole("button", { name: "Save address" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(page.getByRole("button", { name: "Correct address" })).toBeHidden();
});

test("a late correction on a page without a connection is refused with a reason", async ({
  page,
  console,
  shop,
}) => {
  console.expect(/Failed to (?:correct|load)/);
  await openNewOrder(page, shop);
  await page.route("**/api/orders/*", (route) =>
    route.fulfill({
      status: 409,
      json: { title: "", status: 409, code: "status_changed", current_status: "Shipped" },
    }),
  );
  await page.getByRole("button", { name: "Correct address" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("City").fill("Cambridge");
  await dialog.getByRole("button", { name: "Save address" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This order is now shipped");
  await expect(dialog.getByLabel("City")).toHaveValue("Cambridge");
});

test("the form for an address is accessible with a message", async ({ page, shop }) => {
  await openNewOrder(page, shop);
  await page.getByRole("button", { name: "Correct address" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("City")).toHaveValue("London");
  await dialog.getByLabel("Street").fill("");
  await dialog.getByRole("button", { name: "Save address" }).click();
  await expect(dialog.getByText("Street is required")).toBeVisible();
  await expectFitAndAccessible(page);
});
