import { storePlacedOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import { openNewestOrder, ordersButton, panel, storedOrders } from "./fixtures/saved-orders.ts";
import {
  addToCart,
  buy,
  customer,
  expect,
  fund,
  openPopup,
  placeOrder,
  placeOrderHere,
  test,
} from "./fixtures/test.ts";

test.describe("Your orders", () => {
  test("has an order whose tab was closed between the payment and Complete Purchase", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Add to Cart Enamel Mug" })).toBeVisible();
    await expect(ordersButton(page)).toBeHidden();
    await placeOrderHere(page, "Enamel Mug");
    await fund(await openPopup(page));
    await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeEnabled();
    await page.close();

    const later = await context.newPage();
    await later.goto("/");
    await openNewestOrder(later);
    await expect(later.getByText("Your payment has been processed")).toBeVisible();
    await ordersButton(later).click();
    await expect(panel(later).getByRole("listitem")).toContainText("Paid");
    await expect(panel(later).getByRole("listitem")).toContainText("$18.50");
    await expect(panel(later).getByRole("listitem")).toContainText("1 item");
    await expect(panel(later).locator("img")).toHaveAttribute("src", "/pictures/enamel-mug.svg");
  });

  test("has an order as soon as it is placed, before the checkout shows it", async ({ page }) => {
    await page.goto("/");
    const placed = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await page.route("**/api/orders", async (route) => {
      const response = await route.fetch();
      placed.resolve();
      await answered.promise;
      await route.fulfill({ response }).catch(() => {});
    });
    await page.getByRole("button", { name: "Add to Cart Enamel Mug" }).click();
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    for (const [label, value] of Object.entries(customer))
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole("button", { name: "Place Order" }).click();
    await expect(page.getByRole("button", { name: "Processing..." })).toBeVisible();
    await placed.promise;
    expect(await storedOrders(page)).toHaveLength(0);
    answered.resolve();
    await expect(ordersButton(page)).toBeVisible();
    expect(await storedOrders(page)).toHaveLength(1);
  });

  test("opens by keyboard on every screen, restores the focus, and links to the order", async ({
    page,
    shop,
  }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await storePlacedOrder(page, shop);
    for (const path of ["/", "/checkout", "/order"]) {
      await page.goto(path);
      await ordersButton(page).focus();
      await page.keyboard.press("Enter");
      await expect(panel(page).getByRole("listitem")).toContainText("Not paid yet");
      await page.keyboard.press("Escape");
      await expect(panel(page)).toBeHidden();
      await expect(ordersButton(page)).toBeFocused();
    }
    await page.keyboard.press("Enter");
    for (let time = 0; time < 20; time += 1) {
      await expect(panel(page), "also if the key is pressed at once").toBeVisible();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Enter");
    }
    await panel(page)
      .getByRole("link", { name: /^Order #/ })
      .focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: /^Order #/ })).toBeFocused();
  });

  test("two tabs show the same orders and the same status", async ({ page, context, shop }) => {
    const other = await context.newPage();
    await other.goto("/");
    await expect(ordersButton(other)).toBeHidden();
    const { orderId } = await buy(page, "Enamel Mug");
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await ordersButton(other).click();
    await expect(panel(other).getByRole("listitem")).toContainText("Paid");
    await shop.cli("orders", "ship", orderId);
    await expect(page.getByText("Your order has been shipped!")).toBeVisible();
    await expect(panel(other).getByRole("listitem")).toContainText("Shipped");
    await panel(other)
      .getByRole("button", { name: /^Forget this order/ })
      .click();
    await expect(ordersButton(page)).toBeHidden();
    await expect(page.getByText("Your order has been shipped!")).toBeVisible();
  });

  test("an order can be forgotten, and restored until the panel is closed", async ({
    page,
    shop,
  }) => {
    await storePlacedOrder(page, shop);
    await page.goto("/");
    await ordersButton(page).click();
    const number = await panel(page).getByRole("link").textContent();
    await panel(page)
      .getByRole("button", { name: /^Forget this order/ })
      .click();
    await expect(panel(page).getByRole("status")).toContainText("is forgotten here");
    expect(await storedOrders(page)).toHaveLength(0);
    await expect(panel(page).getByRole("button", { name: /^Undo/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(panel(page).getByRole("link")).toHaveText(number ?? "");
    expect(await storedOrders(page)).toHaveLength(1);

    await panel(page)
      .getByRole("button", { name: /^Forget this order/ })
      .click();
    await page.keyboard.press("Escape");
    await expect(ordersButton(page)).toBeHidden();
    await expect(page.locator("main")).toBeFocused();
    await page.reload();
    await expect(page.getByRole("button", { name: "Add to Cart Enamel Mug" })).toBeVisible();
    await expect(ordersButton(page)).toBeHidden();
  });

  test("a browser without storage shows a notice, and can buy as usual", async ({ page }) => {
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
    });
    await placeOrder(page, "Enamel Mug");
    await ordersButton(page).click();
    await expect(panel(page)).toContainText("This browser cannot store orders.");
    await page.keyboard.press("Escape");
    await fund(await openPopup(page));
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await ordersButton(page).click();
    await expect(panel(page).getByRole("listitem")).toContainText("Paid");
  });

  test("invalid entries and 10,000 orders in the storage do not slow it down", async ({ page }) => {
    await page.goto("/");
    await page.evaluate(() => {
      localStorage.setItem("keepsats-order-", "{");
      localStorage.setItem("keepsats-order-null", "null");
      for (let n = 0; n < 10_000; n += 1) {
        const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
        const order = {
          id,
          key: "k",
          created_at: n * 1_000,
          total_price: n,
          status: n % 2 ? "Teleported" : "Paid",
        };
        localStorage.setItem(`keepsats-order-${id}`, JSON.stringify(order));
      }
    });
    await page.reload();
    await ordersButton(page).click();
    await expect(panel(page).getByRole("listitem")).toHaveCount(20);
    await expect(panel(page).getByRole("listitem").first()).toContainText("$99.99");
    await expect(panel(page).getByRole("listitem").first()).toContainText("Unknown");
    await panel(page).getByRole("button", { name: "Show older orders" }).click();
    await expect(panel(page).getByRole("listitem")).toHaveCount(40);
  });
});

test("on a phone the top bar with Your orders has one row", async ({ page, shop }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await storePlacedOrder(page, shop);
  await page.goto("/");
  await addToCart(page, "Enamel Mug");
  await expect(page.getByTestId("cart-badge")).toBeVisible();
  const [name, button] = await Promise.all([
    page.locator("header").getByText("Keepsats").boundingBox(),
    ordersButton(page).boundingBox(),
  ]);
  expect(Math.abs(middleOf(name) - middleOf(button))).toBeLessThan(4);
});

function middleOf(box: { y: number; height: number } | null): number {
  return (box?.y ?? 0) + (box?.height ?? 0) / 2;
}

test("the panel with two orders, one of them forgotten: axe finds no violation in light and dark, and it fits 360 px", async ({
  page,
  shop,
}) => {
  for (let orders = 0; orders < 2; orders += 1) await storePlacedOrder(page, shop);
  await page.goto("/");
  await ordersButton(page).click();
  await panel(page)
    .getByRole("button", { name: /^Forget this order/ })
    .first()
    .click();
  await expectFitAndAccessible(page);
});
