import type { Locator, Page } from "@playwright/test";
import { openPlacedOrder } from "./fixtures/orders.ts";
import {
  clickAndWaitForClose,
  customer,
  expect,
  fund,
  openPopup,
  placeOrder,
  test,
} from "./fixtures/test.ts";

test.use({ reducedMotion: "no-preference" });

const longDate = () =>
  new Date().toLocaleDateString("en-US", { year: "numeric", month: "long", day: "numeric" });

for (const width of [360, 1280]) {
  const tag = width === 1280 ? "@purchase" : "@phone";
  test(`a customer buys, pays and follows the order to Delivered (${width} px)`, { tag }, async ({
    page,
    shop,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const before = longDate();
    await placeOrder(page, "Moka Pot", "Moka Pot", "Field Watch");

    const popup = await openPopup(page);
    await expect(popup.getByRole("heading", { name: "Borrow $730.00" })).toBeVisible();
    await expect(popup.getByText("0.01460000 BTC")).toBeVisible();
    await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeDisabled();
    await fund(popup);
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeDisabled();
    await page.getByRole("button", { name: "Complete Purchase" }).click();

    await expect(page).toHaveURL(
      /\/order\?orderId=[0-9a-f-]{36}&contractId=[0-9a-f-]{36}#key=[\w-]{22}$/,
    );
    const id = new URL(page.url()).searchParams.get("orderId") ?? "";
    await expect(page.getByRole("heading", { name: `Order #${id.slice(0, 8)}` })).toBeVisible();
    await expect(page.getByText(/^Number K-\d+$/)).toBeVisible();
    await expect(
      page.getByText("Your payment has been processed. We will ship your order shortly."),
    ).toBeVisible();
    // The receipt, which is only printed, has the same lines and the same address.
    const summary = page.getByRole("region", { name: "Order Summary" });
    await expect(summary.getByText("2 × Moka Pot")).toBeVisible();
    await expect(summary.getByText("$730.00")).toBeVisible();
    await expect(page.getByText(customer.Email)).toBeVisible();
    const address = page.locator("address").filter({ visible: true });
    await expect(address).toContainText("London, Greater London SW1Y 4JH");
    // The test may run past midnight.
    const day = (text: string) => page.getByText(text, { exact: true });
    await expect(day(before).or(day(longDate()))).toBeVisible();

    expect(await shop.cli("orders", "ship", id.slice(0, 8))).toContain("is now Shipped");
    await expect(page.getByText("Your order has been shipped!")).toBeVisible();
    await shop.cli("orders", "deliver", id.slice(0, 8));
    await expect(page.getByText("Your order has been delivered!")).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
    await page.getByRole("link", { name: "Continue Shopping" }).click();
    await expect(page).toHaveURL("/");
  });
}

test("a customer cancels in the pop-up, opens it again, and pays", async ({
  page,
  console,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const first = await openPopup(page);
  await clickAndWaitForClose(first, "Cancel");
  await expect
    .poll(() => console.lines.join("\n"))
    .toContain("Payment cancelled {reason: user_cancelled}");
  await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeDisabled();

  await fund(await openPopup(page));
  await page.getByRole("button", { name: "Complete Purchase" }).click();
  await expect(page.getByText("Your payment has been processed")).toBeVisible();
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeEnabled();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${element}`);
}

test("a customer buys and pays with the keyboard alone", async ({ page }) => {
  const button = (name: string, on: Page = page) => on.getByRole("button", { name });
  const press = async (element: Locator, on: Page = page) => {
    await tabTo(on, element);
    await on.keyboard.press("Enter");
  };
  await page.goto("/");
  await press(button("Add to Cart Enamel Mug"));
  await press(button("Proceed to Checkout"));
  await expect(page.getByRole("heading", { name: "Checkout" })).toBeFocused();
  for (const [label, value] of Object.entries(customer)) {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(value);
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Payment Method" })).toBeFocused();
  await tabTo(page, button("Finance with Bitcoin"));
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
  await press(button("Fund the collateral", popup), popup);
  const closed = popup.waitForEvent("close");
  await press(button("Back to shop", popup), popup).catch((error: unknown) => {
    if (!popup.isClosed()) throw error; // The window may close before the key is released.
  });
  await closed;
  await expect(button("Complete Purchase")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /^Order #/ })).toBeFocused();
  await expect(page.getByText("Your payment has been processed")).toBeVisible();
});
