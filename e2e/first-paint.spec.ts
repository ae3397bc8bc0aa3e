import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/test.ts";

/** The positions of what a shopper sees first, in pixels. */
async function places(page: Page) {
  const parts = [
    page.getByRole("banner"),
    page.getByRole("heading", { name: "Our Products" }),
    page.getByTestId("skeleton").first(),
    page.getByTestId("skeleton").last(),
    page.getByRole("heading", { name: "Your Cart" }),
    page.getByRole("button", { name: "Proceed to Checkout" }),
  ];
  return Promise.all(parts.map((part) => part.boundingBox()));
}

for (const width of [360, 1280]) {
  test(`the shop page is shown before its JavaScript has loaded, and nothing moves afterwards (${width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    const code = Promise.withResolvers<void>();
    await page.route("**/api/items", () => {});
    await page.route("**/assets/*.js", async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    await expect(page.getByTestId("skeleton")).toHaveCount(8);
    await expect(page.getByRole("button", { name: "Proceed to Checkout" })).toBeDisabled();
    await page.evaluate(() => document.fonts.ready);
    const before = await places(page);
    await expect(page).toHaveTitle("Keepsats");

    code.resolve();
    await expect(page).toHaveTitle("Shop · Keepsats");
    await expect(page.getByTestId("skeleton")).toHaveCount(8);
    expect(await places(page)).toEqual(before);
  });
}

test("the other screens show the top bar before their JavaScript has loaded", async ({ page }) => {
  await page.route("**/assets/*.js", () => {});
  await page.goto("/checkout", { waitUntil: "commit" });
  await expect(page.getByRole("link", { name: "Cart" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByTestId("skeleton")).toHaveCount(0);
  await page.goto("/order?orderId=a&contractId=b", { waitUntil: "commit" });
  await expect(page.getByRole("link", { name: "Shop", exact: true })).toBeVisible();
  await expect(page.locator("[aria-current]")).toHaveCount(0);
});
