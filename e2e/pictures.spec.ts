import type { Page } from "@playwright/test";
import { changeItems, withFields } from "./fixtures/items.ts";
import { expect, test } from "./fixtures/test.ts";

const stored = `/pictures/${"0123456789abcdef".repeat(2)}`;

/** Gives the first card a stored picture. Returns the requested paths, live. */
async function withStoredPicture(page: Page): Promise<string[]> {
  const requested: string[] = [];
  await page.route(`**${stored}-*`, async (route) => {
    await route.fulfill({ path: "apps/storefront/public/touch-icon.png" });
    // Last: the end of a test removes the route.
    requested.push(new URL(route.request().url()).pathname);
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

test("pictures are not dimmed in the dark", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  const pictures = page.getByRole("main").locator("img");
  await expect(pictures.first()).toBeVisible();
  // The prerendered page may still be replaced: an element that left the page has no style.
  await expect
    .poll(() =>
      pictures.evaluateAll((all) => [
        ...new Set(all.map((picture) => getComputedStyle(picture).filter)),
      ]),
    )
    .toEqual(["none"]);
});

test("a wide window is used up to 1,440 px, with two products in a row", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 900 });
  await page.goto("/");
  for (const part of [page.getByRole("main"), page.getByRole("banner").locator("> div")])
    await expect.poll(() => part.boundingBox()).toMatchObject({ x: 240, width: 1_440 });
  const cards = page.getByRole("main").getByRole("listitem");
  await expect(async () => {
    const [first, second, third] = await Promise.all(
      [0, 1, 2].map((at) => cards.nth(at).boundingBox()),
    );
    expect(first?.y).toBe(second?.y);
    expect(third?.y).toBeGreaterThan(first?.y ?? 0);
  }).toPass({ timeout: 5_000 });
});

test.describe("on a screen with many pixels", () => {
  test.use({ viewport: { width: 390, height: 800 }, deviceScaleFactor: 3 });

  test("a stored picture is requested in a larger size", async ({ page }) => {
    const requested = await withStoredPicture(page);
    await page.goto("/");
    await expect.poll(() => requested).toEqual([`${stored}-1600`]);
  });
});
