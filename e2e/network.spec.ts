import type { Page } from "@playwright/test";
import { openPlacedOrder, placePaidOrder } from "./fixtures/orders.ts";
import { expect, fillCart, fillForm, goToCheckout, test } from "./fixtures/test.ts";

/** Goes to the checkout and fills in the form. Returns the idempotency keys of all orders, live. */
async function readyToOrder(page: Page): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/orders")) keys.push(request.headers()["idempotency-key"]);
  });
  await fillCart(page, "Enamel Mug");
  await goToCheckout(page);
  await fillForm(page);
  return keys;
}

test.describe("offline", () => {
  test("placing an order fails at once, keeps the focus, and the order is not sent later", async ({
    page,
    context,
    console,
  }) => {
    console.expect(/Failed to create the order|ERR_INTERNET_DISCONNECTED/);
    const keys = await readyToOrder(page);
    await context.setOffline(true);
    await page.getByRole("button", { name: "Place Order" }).press("Enter");
    await expect(page.getByText("Failed to create order. Please try again.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Place Order" })).toBeFocused();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
    await goToCheckout(page);
    await page.getByRole("button", { name: "Place Order" }).click();
    await expect(page.getByText("Your order is placed")).toBeVisible();
    expect(keys).toHaveLength(2);
  });

  test("Retry fails at once, and the focus moves to the heading", async ({
    page,
    context,
    console,
  }) => {
    console.expect(/Failed to load/);
    await page.route("**/api/items", (route) => route.abort());
    await page.goto("/");
    await expect(page.getByText("Failed to load items. Please try again later.")).toBeVisible();
    await page.unroute("**/api/items");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Retry" }).press("Enter");
    await expect(page.getByTestId("skeleton")).toHaveCount(0);
    await expect(page.getByText("Failed to load items. Please try again later.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Our Products" })).toBeFocused();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
  });

  test("the order page says Disconnected within 5 seconds, and is Live again when online", async ({
    page,
    context,
    console,
    shop,
  }) => {
    console.expect(/WebSocket|ERR_INTERNET_DISCONNECTED/);
    await page.clock.install();
    await page.goto((await placePaidOrder(shop)).link);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByText("Disconnected")).toBeVisible({ timeout: 5_000 });
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await context.setOffline(false);
    await page.clock.fastForward(5_000);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
  });
});

// In Firefox, Playwright's interception does not detect the abort.
const tag = "@chromium";
test("Cancel aborts an order that is being placed; the next attempt returns the same order", {
  tag,
}, async ({ page, console }) => {
  console.expect(/ERR_ABORTED|ERR_FAILED/);
  const keys = await readyToOrder(page);
  const stored = Promise.withResolvers<string>();
  await page.route("**/api/orders", async (route) => {
    const response = await route.fetch();
    stored.resolve((await response.json()).id); // The answer is never delivered.
  });
  const aborted = page.waitForEvent("requestfailed", (request) =>
    request.url().endsWith("/api/orders"),
  );
  await page.getByRole("button", { name: "Place Order" }).click();
  const id = await stored.promise;
  await page.getByRole("button", { name: "Cancel" }).click();
  await aborted;
  await page.unroute("**/api/orders");
  await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
  await expect(page.getByText("is not paid yet")).toBeHidden();
  expect(keys).toHaveLength(1);

  await goToCheckout(page);
  const [response] = await Promise.all([
    page.waitForResponse("**/api/orders"),
    page.getByRole("button", { name: "Place Order" }).click(),
  ]);
  expect((await response.json()).id).toBe(id);
  await expect(page.getByText("Your order is placed")).toBeVisible();
  expect(new Set(keys).size).toBe(1);
});

test("the current user is fetched once and cached across screens", async ({ page, shop }) => {
  let calls = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/me")) calls += 1;
  });
  await page.clock.install();
  await openPlacedOrder(page, shop);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
  await page.clock.fastForward(600_000);
  await page.getByRole("link", { name: /^Cart/ }).click();
  await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeEnabled();
  expect(calls).toBe(1);
});
