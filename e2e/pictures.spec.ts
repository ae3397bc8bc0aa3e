import type { Page } from "@playwright/test";
import { changeItems, withFields } from "./fixtures/items.ts";
import { expect, test } from "./fixtures/test.ts";

const stored = `/pictures/${"0123456789abcdef".repeat(2)}`;

/** Gives the first card a stored picture. @returns the requested paths, live */
async function withStoredPicture(page: Page): Promise<string[]> {
  const requested: string[] = [];
  await page.route(`**${stored}-*`, (route) => {
    requested.push(new URL(route.request().url()).pathname);
    return route.fulfill({ path: "apps/storefront/public/touch-icon.png" });
  });
  await changeItems(page, withFields({ "moka-pot": { image_url: `${stored}-1600` } }));
  return requested;
}

test("a stored picture is requested in the size that fits", async ({ page }) => {
  const requested = await withStoredPicture(page);
  await page.goto("/");
  await expect.poll(() => requested).toEqual([`${stored}-400`]);
  await page.getByRole("link", { name: "Moka Pot" }).press("Enter");
  const large = page.getByRole("dialog", { name: "Moka Pot" }).getByRole("img");
  const shown = () =>
    large.evaluate((image) => image instanceof HTMLImageElement && image.currentSrc);
  await expect.poll(shown).toMatch(new RegExp(`${stored}-(400|800)$`));
  expect(requested).not.toContain(`${stored}-1600`);
});

test.describe("on a screen with many pixels", () => {
  test.use({ viewport: { width: 390, height: 800 }, deviceScaleFactor: 3 });

  test("a stored picture is requested in a larger size", async ({ page }) => {
    const requested = await withStoredPicture(page);
    await page.goto("/");
    await expect.poll(() => requested).toEqual([`${stored}-1600`]);
  });
});
