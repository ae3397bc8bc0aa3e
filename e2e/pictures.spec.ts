import type { Page } from "@playwright/test";
import { changeItems, withFields } from "./fixtures/items.ts";
import { expect, test } from "./fixtures/test.ts";

const kept = `/pictures/${"0123456789abcdef".repeat(2)}`;

/**
 * Gives the first card a picture that the shop keeps. @returns the paths at which the page asks for
 * it, as they come
 */
async function withKeptPicture(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route(`**${kept}-*`, (route) => {
    asked.push(new URL(route.request().url()).pathname);
    return route.fulfill({ path: "apps/web/public/touch-icon.png" });
  });
  await changeItems(page, withFields({ "moka-pot": { image_url: `${kept}-1600` } }));
  return asked;
}

test("a picture that the shop keeps is asked for in the size that fits its place", async ({
  page,
}) => {
  const asked = await withKeptPicture(page);
  await page.goto("/");
  await expect.poll(() => asked).toEqual([`${kept}-400`]);
  await page.getByRole("link", { name: "Moka Pot" }).press("Enter");
  const large = page.getByRole("dialog", { name: "Moka Pot" }).getByRole("img");
  const shown = () =>
    large.evaluate((image) => image instanceof HTMLImageElement && image.currentSrc);
  await expect.poll(shown).toMatch(new RegExp(`${kept}-(400|800)$`));
  expect(asked).not.toContain(`${kept}-1600`);
});

test.describe("on a screen with many pixels", () => {
  test.use({ viewport: { width: 390, height: 800 }, deviceScaleFactor: 3 });

  test("it is asked for in a larger size", async ({ page }) => {
    const asked = await withKeptPicture(page);
    await page.goto("/");
    await expect.poll(() => asked).toEqual([`${kept}-1600`]);
  });
});
