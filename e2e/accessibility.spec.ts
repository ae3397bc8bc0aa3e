import type { Page } from "@playwright/test";
import { placePaidOrder } from "./fixtures/orders.ts";
import { expectNoHorizontalScrolling } from "./fixtures/page-checks.ts";
import { expect, fillCart, goToCheckout, test } from "./fixtures/test.ts";

test("the first Tab focuses Skip to content, which skips the top bar", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Add to Cart Moka Pot" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Brass Sharpener" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("cart-badge")).toHaveText("1 item");
});

test("each screen has a title, and its heading is focused when the customer navigates to it", async ({
  page,
}) => {
  await fillCart(page, "Moka Pot");
  await expect(page).toHaveTitle("Shop · Keepsats");
  await page.getByRole("link", { name: /^Cart/ }).click();
  await expect(page).toHaveTitle("Checkout · Keepsats");
  await expect(page.getByRole("heading", { name: "Checkout" })).toBeFocused();
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Our Products" })).toBeFocused();
});

/** Measures the layout shifts of the next page. The returned function gives their sum. */
async function layoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    const shift = () => {
      entries.push(...observer.takeRecords());
      return entries.reduce((sum, entry) => sum + Number(Reflect.get(entry, "value")), 0);
    };
    Object.assign(window, { shift });
  });
  // A layout shift is reported in the next frame.
  return () =>
    page.evaluate(async () => {
      await document.fonts.ready;
      for (let frame = 0; frame < 2; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return Reflect.get(window, "shift")();
    });
}

test("nothing shifts while the shop page loads", async ({ page }) => {
  const shifts = await layoutShifts(page);
  await page.goto("/");
  await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
  expect(await shifts()).toBeLessThan(0.02);
});

test("nothing shifts on a phone while an order loads, and its buttons appear with it", async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { link } = await placePaidOrder(shop);
  const loaded = Promise.withResolvers<void>();
  await page.routeWebSocket(/order-status/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => void loaded.promise.then(() => socket.send(message)));
  });
  const shifts = await layoutShifts(page);
  await page.goto(link);
  await expect(page.getByText("Loading order status...")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy link" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Continue Shopping" })).not.toBeInViewport();
  await shifts();
  loaded.resolve();
  await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Print receipt" })).toBeVisible();
  expect(await shifts()).toBeLessThan(0.02);
});

test("with reduced motion nothing is animated", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.route("**/api/items", () => {});
  await page.goto("/");
  const duration = await page
    .getByTestId("skeleton")
    .first()
    .evaluate((skeleton) => getComputedStyle(skeleton).animationDuration);
  expect(Number.parseFloat(duration)).toBeLessThanOrEqual(0.001);
});

test("screen readers announce a change of the order's status", async ({ page, shop }) => {
  const { id, link } = await placePaidOrder(shop);
  await page.goto(link);
  const live = page.getByRole("region", { name: "Status" }).getByRole("status");
  await expect(live).toContainText("Your payment has been processed");
  await shop.cli("orders", "ship", id);
  await expect(live).toContainText("Your order has been shipped!");
});

test("with text at twice its size no screen is wider than a phone", async ({ page, shop }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const double = () =>
    page.evaluate(() => void document.documentElement.style.setProperty("font-size", "200%"));
  await page.goto("/");
  await double();
  await page.getByRole("button", { name: "Add to Cart Leather Weekender" }).click();
  await page.getByLabel("Quantity of Leather Weekender", { exact: true }).fill("9999");
  await expectNoHorizontalScrolling(page);
  await goToCheckout(page);
  await page.getByRole("button", { name: "Place Order" }).click();
  await expect(page.getByText("Name is required")).toBeVisible();
  await expectNoHorizontalScrolling(page);
  await page.goto((await placePaidOrder(shop, "leather-weekender")).link);
  await expect(page.getByRole("heading", { name: "Payment processed" })).toBeVisible();
  await double();
  await expectNoHorizontalScrolling(page);
});
