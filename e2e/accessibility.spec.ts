import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import {
  buy,
  expect,
  fillCart,
  goToCheckout,
  holdToasts,
  leave,
  openPopup,
  placedNote,
  placeOrderHere,
  test,
} from "./fixtures/test.ts";

async function expectNoFaults(page: Page, state: string): Promise<void> {
  await page.evaluate(async () => {
    // What has just been drawn begins to move with the next frame.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    await Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    );
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const faults = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
  );
  expect(faults, state).toEqual([]);
}

/** No screen may be wider than the window. */
async function expectNoSideways(page: Page, state: string): Promise<void> {
  const { scroll, width } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: window.innerWidth,
  }));
  expect(scroll, state).toBeLessThanOrEqual(width);
}

for (const colorScheme of ["light", "dark"] as const) {
  // The narrowest needs one of them only: colours do not depend on it.
  for (const width of colorScheme === "light" ? [320, 360, 1280] : [360, 1280]) {
    test(`axe finds nothing and nothing sticks out, on any screen in any state (${colorScheme}, ${width} px)`, async ({
      page,
      console,
    }) => {
      test.setTimeout(600_000);
      console.expect(/Failed to load/);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const check = async (state: string) => {
        await expectNoSideways(page, state);
        await expectNoFaults(page, state);
      };

      await page.route("**/api/items", () => {});
      await page.goto("/");
      await expect(page.getByTestId("skeleton").first()).toBeVisible();
      await check("shop, loading");
      await page.unroute("**/api/items");
      await page.route("**/api/items", (route) => route.fulfill({ status: 500 }));
      await page.goto("/");
      await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
      await check("shop, failed");
      await page.unroute("**/api/items");
      await page.goto("/checkout");
      await expect(page.getByText("Your cart is empty.")).toBeVisible();
      await check("checkout, empty");
      await fillCart(page, "Moka Pot", "Stoneware Teapot");
      await page.getByLabel("Quantity of Moka Pot", { exact: true }).fill("9999");
      await check("shop, full");
      await goToCheckout(page);
      await page.getByLabel("Billing address same as shipping").click();
      await page.getByRole("button", { name: "Place Order" }).click();
      await expect(page.getByText("Name is required")).toBeVisible();
      await check("checkout, with errors");
      await page.getByRole("button", { name: "How does it work?" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await check("checkout, dialog");
      await page.keyboard.press("Escape");
      await page.goto("/");
      const letGo = await holdToasts(page);
      await placeOrderHere(page, "Moka Pot");
      const toast = page.locator("[data-sonner-toast]");
      await expect(toast).toHaveAttribute("data-mounted", "true");
      await check("checkout, placed");
      await letGo();
      await expect(toast).toHaveCount(0);
      const popup = await openPopup(page);
      await popup.emulateMedia({ colorScheme });
      await popup.getByText("Dials: make something go wrong").click();
      await expectNoFaults(popup, "pop-up");
      await popup.getByRole("button", { name: "Fund the collateral" }).click();
      await expect(popup.getByRole("button", { name: "Back to shop" })).toBeVisible();
      await expectNoFaults(popup, "pop-up, funded");
      await leave(popup, "Back to shop");
      await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeEnabled();
      await check("checkout, paid");
      await page.getByRole("button", { name: "Complete Purchase" }).click();
      await expect(page.getByText("Your payment has been processed")).toBeVisible();
      await check("order, processed");
      await page.goto("/order?orderId=x&contractId=y");
      await expect(page.getByText("Order not found.")).toBeVisible();
      await check("order, not found");
      await page.goto("/order");
      await expect(page.getByText("Loading order status...")).toBeVisible();
      await check("order, loading");
      for (const status of ["Pending", "Cancelled", "Delivered"]) {
        await page.routeWebSocket(/order-status/, (socket) => {
          const long = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch".repeat(3);
          const data = {
            status,
            payment_attempt_over: true,
            items: [{ id: "a", name: long, price: 999_999.99, quantity: 9_999 }],
            total_price: 9_998_999_900.01,
            shipping_address: { street: long, city: long, state: "s", postal_code: "p", country: "c" },
            customer_name: long,
            customer_email: `${long}@example.org`,
            created_at: 1_751_371_200,
          };
          socket.send(JSON.stringify({ type: "order", data }));
          if (status === "Cancelled") socket.close();
        });
        await page.goto("/order?orderId=00000000-0000-4000-8000-000000000000&contractId=y");
        const link = status === "Cancelled" ? "Disconnected" : "Live";
        await expect(page.getByRole("region", { name: "Status" })).toBeVisible();
        await expect(page.getByText(link, { exact: true })).toBeVisible();
        await check(`order, ${status}, with long texts`);
      }
    });
  }
}

test("the whole purchase can be made with the keyboard alone", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Add to Cart Moka Pot" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Proceed to Checkout" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Checkout" })).toBeFocused();
  for (const text of ["Ada Lovelace", "ada@example.org", "1 Road", "Town", "State", "123", "Land"]) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");
  await expect(page.getByText(placedNote)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Payment Method" })).toBeFocused();
});

test("a page has its title, and its heading has the focus when one comes to it", async ({ page }) => {
  await fillCart(page, "Moka Pot");
  await expect(page).toHaveTitle("Shop · Keepsats");
  await page.getByRole("link", { name: /^Cart/ }).click();
  await expect(page).toHaveTitle("Checkout · Keepsats");
  await expect(page.getByRole("heading", { name: "Checkout" })).toBeFocused();
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Our Products" })).toBeFocused();
});

test("nothing shifts while the shop page loads", async ({ page }) => {
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
  await page.goto("/");
  await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
  // A shift is reported with the frame after it.
  const shift = await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return Reflect.get(window, "shift")();
  });
  expect(shift).toBeLessThan(0.02);
});

test("who wants less motion gets none", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.route("**/api/items", () => {});
  await page.goto("/");
  const duration = await page
    .getByTestId("skeleton")
    .first()
    .evaluate((skeleton) => getComputedStyle(skeleton).animationDuration);
  expect(Number.parseFloat(duration)).toBeLessThanOrEqual(0.001);
});

test("the status of an order is read out when it changes", async ({ page, shop }) => {
  const { orderId } = await buy(page, "Enamel Mug");
  const live = page.getByRole("region", { name: "Status" }).getByRole("status");
  await expect(live).toContainText("Your payment has been processed");
  await shop.merchant("orders", "ship", orderId);
  await expect(live).toContainText("Your order has been shipped!");
});

test("text at twice its size makes no screen wider than a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const double = () =>
    page.evaluate(() => void document.documentElement.style.setProperty("font-size", "200%"));
  await page.goto("/");
  await double();
  await page.getByRole("button", { name: "Add to Cart Leather Weekender" }).click();
  await page.getByLabel("Quantity of Leather Weekender", { exact: true }).fill("9999");
  await expectNoSideways(page, "shop");
  await goToCheckout(page);
  await page.getByRole("button", { name: "Place Order" }).click();
  await expect(page.getByText("Name is required")).toBeVisible();
  await expectNoSideways(page, "checkout");
  await buy(page, "Leather Weekender");
  await expect(page.getByRole("heading", { name: "Payment processed" })).toBeVisible();
  await double();
  await expectNoSideways(page, "order");
});
