import { storePlacedOrder } from "./fixtures/orders.ts";
import { expect, fillCart, goToCheckout, skipRetryDelays, test } from "./fixtures/test.ts";

test.describe("the payment panel", () => {
  test("has two payment methods, names the addresses of both windows, and explains the loan in a dialog", async ({
    page,
    shop,
  }) => {
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
    const [popup, here] = [new URL(shop.sandboxUrl).host, new URL(shop.url).host];
    await expect(
      page.getByText(
        `The payment window opens at ${popup}. This page stays at ${here}: close it if its address changes.`,
      ),
    ).toBeVisible();
    await expect(
      page.getByText(/bitcoin as collateral without selling it. No credit check is required/),
    ).toBeVisible();
    await expect(page.getByText("Just kidding, this is not an option.")).toBeHidden();
    await page.getByText("Standard Payment").click();
    await expect(page.getByText("Just kidding, this is not an option.")).toBeVisible();
    await page.getByText("Bitcoin-Backed Loan", { exact: true }).click();
    await expect(
      page.getByRole("region", { name: "Payment Method" }).getByText("$45.00"),
    ).toBeVisible();
    await expect(
      page.locator("summary", { hasText: "Bitcoin-Backed Loan" }).locator("svg.lucide-bitcoin"),
    ).toBeVisible();

    await test.step("five sentences explain the loan, in a dialog that Escape closes", async () => {
      await page.getByRole("button", { name: "How does it work?" }).click();
      const dialog = page.getByRole("dialog", { name: "How a Bitcoin-backed loan works" });
      await expect(dialog.getByRole("listitem")).toHaveCount(5);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(page.getByRole("button", { name: "How does it work?" })).toBeFocused();
    });
  });

  test("retries the current user until it is loaded", async ({ page, console, shop }) => {
    console.expect(/503/);
    await storePlacedOrder(page, shop);
    await page.clock.install();
    await page.route("**/api/me", (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto("/checkout");
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeDisabled();
    await expect(
      page.getByText("The lender cannot be reached right now. We keep trying."),
    ).toBeVisible();
    await page.unroute("**/api/me");
    await skipRetryDelays(
      page,
      page.locator("button:enabled", { hasText: "Finance with Bitcoin" }),
    );
  });
});
