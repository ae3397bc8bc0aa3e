import type { Page } from "@playwright/test";
import { setStock } from "./fixtures/items.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import { customer, expect, fillCart, fillForm, goToCheckout, test } from "./fixtures/test.ts";

const question = (page: Page) =>
  page.getByRole("region", { name: /^(Your order|None of these items)/ });
const placeOrder = (page: Page) => page.getByRole("button", { name: "Place Order" });
const isPlaced = (page: Page) =>
  page.getByText("Your order is placed. You can correct the address on its page until it ships.");

/** The headers and the items of all requests to place an order, live. */
function watchRequests(page: Page) {
  const requests: { headers: Record<string, string>; items: unknown }[] = [];
  page.on("request", (request) => {
    if (request.method() !== "POST" || !request.url().endsWith("/api/orders")) return;
    requests.push({ headers: request.headers(), items: request.postDataJSON().items });
  });
  return requests;
}

test.beforeEach(({ console }) => console.expect(/Failed to create the order|409/));

test.describe("the checkout of a shop whose items have changed", () => {
  test.afterEach(async ({ shop }) => {
    await shop.cli("items", "set", "leather-weekender", "--price", "340");
    await shop.cli("items", "set", "desk-lamp", "--no-hidden");
    await setStock(shop, { "moka-pot": null, "enamel-mug": null });
  });

  test("a changed price is confirmed with old and new, again if it changes again, and Place it places the order at the new price", async ({
    page,
    shop,
  }) => {
    const requests = watchRequests(page);
    await fillCart(page, "Leather Weekender", "Linen Notebook");
    await goToCheckout(page);
    await fillForm(page);
    await shop.cli("items", "set", "leather-weekender", "--price", "355.50");
    await placeOrder(page).click();
    await expect(page.getByText("Failed to create order. Please try again.")).toBeVisible();
    const heading = question(page).getByRole("heading");
    await expect(heading).toHaveText("Your order has changed since you filled your cart");
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
    await expect(question(page).getByRole("listitem")).toHaveText([
      "Leather Weekenderbefore: 1 × $340.00now: 1 × $355.50",
    ]);
    await expect(question(page).locator("dl")).toHaveText("Totalbefore: $364.00now: $379.50");
    for (const [label, value] of Object.entries(customer))
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);

    await test.step("the price changes again, and the form has an error", async () => {
      await shop.cli("items", "set", "leather-weekender", "--price", "360");
      await question(page).getByRole("button", { name: "Place it for $379.50" }).click();
      await expect(question(page).locator("dl")).toHaveText("Totalbefore: $379.50now: $384.00");
      await expect(question(page).getByRole("heading")).toBeFocused();
      await page.getByLabel("Full Name").fill("");
      await question(page).getByRole("button", { name: "Place it for $384.00" }).click();
      await expect(page.getByText("Name is required")).toBeVisible();
      await expect(page.getByLabel("Full Name")).toBeFocused();
      await page.getByLabel("Full Name").fill("Ada");
      await placeOrder(page).click();
    });

    await question(page).getByRole("button", { name: "Place it for $384.00" }).click();
    await expect(isPlaced(page)).toBeVisible();
    await expect(page.getByRole("heading", { name: "Payment Method" })).toBeFocused();
    await expect(page.getByText("Prices have changed")).toBeHidden();
    await expect(page.getByRole("region", { name: "Order Summary" })).toContainText("Total$384.00");
    expect(
      requests.map(({ headers }) => [headers["expected-total"], headers["expected-prices"]]),
    ).toEqual([
      ["364.00", "340.00,24.00"],
      ["379.50", "355.50,24.00"],
      // Place Order, instead of the question's button, does not accept the new price.
      ["379.50", "355.50,24.00"],
      ["384.00", "360.00,24.00"],
    ]);
  });

  test("fewer pieces, a sold-out item and a hidden one are listed, and the rest is placed with a new key", async ({
    page,
    shop,
  }) => {
    const requests = watchRequests(page);
    await fillCart(page, "Moka Pot", "Enamel Mug", "Brass Desk Lamp", "Linen Notebook");
    await page.getByLabel("Quantity of Moka Pot", { exact: true }).fill("3");
    await goToCheckout(page);
    await fillForm(page);
    await setStock(shop, { "moka-pot": 2, "enamel-mug": 0 });
    await shop.cli("items", "set", "desk-lamp", "--hidden");
    await placeOrder(page).click();
    await expect(question(page).getByRole("listitem")).toHaveText([
      "Moka Potbefore: 3 × $45.00now: 2 × $45.00 (only 2 left)",
      "Enamel Mugbefore: 1 × $18.50now: Sold out",
      /^Brass Desk Lampbefore: .*now: No longer available$/,
    ]);
    await question(page).getByRole("button", { name: "Place it for $114.00" }).click();
    await expect(isPlaced(page)).toBeVisible();
    expect(requests.map(({ items }) => items).at(-1)).toEqual([
      { item_id: "moka-pot", quantity: 2 },
      { item_id: "linen-notebook", quantity: 1 },
    ]);
    expect(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
    await expect(page.getByTestId("cart-badge")).toHaveText("3 items");
  });

  test("Change cart opens the cart, which has the new price and the stock; the form keeps its content", async ({
    page,
    shop,
  }) => {
    await fillCart(page, "Leather Weekender", "Moka Pot", "Moka Pot");
    await goToCheckout(page);
    await fillForm(page);
    await setStock(shop, { "moka-pot": 1 });
    await shop.cli("items", "set", "leather-weekender", "--price", "355.50");
    await placeOrder(page).click();
    await question(page).getByRole("button", { name: "Change cart" }).click();
    await expect(page.getByRole("heading", { name: "Your Cart" })).toBeFocused();
    const cart = page.getByRole("region", { name: "Your Cart" });
    await expect(cart).toContainText("Total: $445.50");
    await expect(cart.getByRole("listitem").filter({ hasText: "Moka Pot" })).toContainText(
      "Only 1 left",
    );
    await goToCheckout(page);
    const summary = page.getByRole("region", { name: "Order Summary" });
    await expect(summary.getByText("Moka Pot: Only 1 left")).toBeVisible();
    await page.getByRole("link", { name: "Edit cart" }).click();
    await page.getByRole("button", { name: "Decrease quantity of Moka Pot" }).click();
    await expect(cart.getByText("Only 1 left")).toBeHidden();
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expect(summary.getByText("Only 1 left")).toBeHidden();
    await expect(page.getByLabel("Full Name")).toHaveValue(customer["Full Name"]);
    await placeOrder(page).click();
    await expect(isPlaced(page)).toBeVisible();
  });

  test("with the keyboard, the cart sets a line to the stock or removes it, and the focus stays in the cart", async ({
    page,
    shop,
  }) => {
    await fillCart(page, "Moka Pot", "Enamel Mug");
    await page.getByLabel("Quantity of Moka Pot", { exact: true }).fill("3");
    await goToCheckout(page);
    await fillForm(page);
    await setStock(shop, { "moka-pot": 2, "enamel-mug": 0 });
    await placeOrder(page).click();
    await expect(question(page).getByRole("heading")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(question(page).getByRole("button", { name: "Change cart" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(question(page).getByRole("button", { name: "Place it for $90.00" })).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");

    const cart = page.getByRole("region", { name: "Your Cart" });
    await expect(cart.getByRole("heading")).toBeFocused();
    const setToTwo = cart.getByRole("button", { name: "Set to 2 of Moka Pot" });
    await expect(cart.getByRole("button", { name: /^Set to/ })).toHaveCount(1);
    for (const control of [
      /^Decrease .* Moka/,
      /^Quantity .* Moka/,
      /^Increase .* Moka/,
      /^Remove Moka/,
    ]) {
      await page.keyboard.press("Tab");
      await expect(cart.getByLabel(control)).toBeFocused();
    }
    await page.keyboard.press("Tab");
    await expect(setToTwo).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(setToTwo).toBeHidden();
    await expect(cart.getByText("Only 2 left")).toBeHidden();
    await expect(cart.getByLabel("Quantity of Moka Pot", { exact: true })).toBeFocused();
    await expect(cart.getByLabel("Quantity of Moka Pot", { exact: true })).toHaveValue("2");
    await expect(page.getByText("Moka Pot: quantity 2")).toBeAttached();

    await expect(cart.getByText("Sold out")).toBeVisible();
    await cart.getByRole("button", { name: "Remove Enamel Mug" }).press("Enter");
    await expect(cart.getByRole("heading")).toBeFocused();
    await expect(cart).toContainText("Total: $90.00");
    await goToCheckout(page);
    await placeOrder(page).click();
    await expect(isPlaced(page)).toBeVisible();
  });

  test("if nothing is left, the order cannot be placed, and the cart can be changed", async ({
    page,
    shop,
  }) => {
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
    await fillForm(page);
    await setStock(shop, { "moka-pot": 0 });
    await placeOrder(page).click();
    await expect(question(page).getByRole("heading")).toHaveText(
      "None of these items are available now",
    );
    await expect(question(page).getByRole("button")).toHaveText(["Change cart"]);
    await question(page).getByRole("button", { name: "Change cart" }).click();
    await expect(
      page.getByRole("region", { name: "Your Cart" }).getByText("Sold out"),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Add to Cart Moka Pot" })).toBeDisabled();
  });

  test("an item in the customer's unpaid order is not sold out: the checkout replaces that order", async ({
    page,
    shop,
  }) => {
    await setStock(shop, { "moka-pot": 1 });
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
    await fillForm(page);
    await placeOrder(page).click();
    await expect(isPlaced(page)).toBeVisible();
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await page.getByRole("button", { name: "Add to Cart Linen Notebook" }).click();
    await goToCheckout(page);
    const summary = page.getByRole("region", { name: "Order Summary" });
    await expect(summary).toContainText("Total$69.00");
    await expect(summary.getByText("Sold out")).toBeHidden();
    await placeOrder(page).click();
    await expect(question(page).getByRole("heading")).toHaveText(
      /^Your order #[0-9a-f]{8} holds the missing items$/,
    );
    await expect(question(page)).toContainText("It has 1 × Moka Pot, and is not paid.");
    await expect(question(page).getByRole("button")).toHaveText([
      "Change cart",
      "Replace that order for $69.00",
    ]);
    await expectFitAndAccessible(page);
    await question(page).getByRole("button", { name: "Replace that order for $69.00" }).click();
    await expect(isPlaced(page)).toBeVisible();
    await expect(summary).toContainText("Total$69.00");
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await expect(page.getByText("Cancelled")).toHaveCount(0);
  });
});

test("axe finds no violation in the question, and it fits a phone", async ({ page }) => {
  const asked = { quantity: 1, expected_price: null };
  await page.route("**/api/orders", (route) =>
    route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      json: {
        title: "",
        status: 409,
        code: "price_changed",
        total: 2_644_225,
        lines: [
          { item_id: "leather-weekender", available: 7_777, price: 340, ...asked },
          { item_id: "moka-pot", available: 1, price: 45, ...asked },
        ],
      },
    }),
  );
  await fillCart(page, "Leather Weekender", "Moka Pot");
  await page.getByLabel("Quantity of Leather Weekender", { exact: true }).fill("9999");
  await goToCheckout(page);
  await fillForm(page);
  await placeOrder(page).click();
  await expect(question(page).getByText("(only 7777 left)")).toBeVisible();
  await expectFitAndAccessible(page);
});
