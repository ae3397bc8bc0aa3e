import type { Locator, Page } from "@playwright/test";
import { addToCart, expect, fillCart, fillIn, test } from "./fixtures/test.ts";

const cartOf = (page: Page) => page.getByRole("region", { name: "Your Cart" });

/** The lower edge of an element, in pixels from the top of the window. */
async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  if (box === null) throw new Error("the element has no place on the screen");
  return box.y + box.height;
}

/** Keeps animations at their start. Returns a function that lets them run. */
async function pauseAnimations(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { animation-play-state: paused !important }");
    document.adoptedStyleSheets = [sheet];
  });
  return () =>
    page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
}

test("on a phone a bar at the bottom scrolls to the cart while it is not in view", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  const bar = page.getByRole("button", { name: /^View cart/ });
  await expect(page.getByRole("button", { name: "Add to Cart Moka Pot" })).toBeVisible();
  await expect(bar).toBeHidden();
  await addToCart(page, "Moka Pot", "Enamel Mug", "Moka Pot");
  await expect(bar).toHaveText("View cart · 3 items · $108.50");

  // The bar never covers the focused element.
  const buttons = await page.getByRole("button", { name: /^Add to Cart/ }).all();
  for (const button of buttons.slice(0, 6)) {
    await button.focus();
    expect(await bottomOf(button)).toBeLessThan((await bar.boundingBox())?.y ?? 0);
  }

  await bar.press("Enter");
  await expect(page.getByRole("heading", { name: "Your Cart" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Your Cart" })).toBeInViewport();
  await expect(bar).toBeHidden();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Decrease quantity of Moka Pot" })).toBeFocused();
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(bar).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(bar).toBeHidden();
});

test("with twelve lines the list scrolls to the added line, and a short list never scrolls", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  const add = page.getByRole("button", { name: /^Add to Cart/ });
  await expect(add).toHaveCount(12);
  const lines = cartOf(page).getByRole("listitem");
  const list = cartOf(page).getByRole("list");
  const scrollRange = () =>
    list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  // Headless browsers overlay scrollbars, so the overflow itself is checked at the start of the
  // animation.
  const resume = await pauseAnimations(page);
  await add.first().click();
  await expect(lines).toHaveCount(1);
  expect(await scrollRange()).toBe(0);
  await resume();
  await page.getByRole("button", { name: /^Remove/ }).click();
  for (const [index, button] of (await add.all()).entries()) {
    await button.click();
    await expect(lines).toHaveCount(index + 1);
    await expect(lines.nth(index)).toBeInViewport({ ratio: 0.99 });
  }
  expect(await scrollRange()).toBeGreaterThan(0);
  await expect(page.getByRole("button", { name: "Proceed to Checkout" })).toBeInViewport({
    ratio: 1,
  });
  await expect(lines.first()).not.toBeInViewport();
  await add.first().click();
  await expect(page.getByLabel("Quantity of Brass Sharpener", { exact: true })).toHaveValue("2");
  await expect(lines.first()).toBeInViewport({ ratio: 0.99 });
});

test("Undo restores a removed line with its position and quantity, until the next change of the cart", async ({
  page,
}) => {
  await fillCart(page, "Moka Pot", "Enamel Mug", "Linen Notebook");
  const names = cartOf(page).getByRole("listitem").locator("p");
  const undo = page.getByRole("button", { name: "Undo the removal of Enamel Mug" });
  await fillIn(page.getByLabel("Quantity of Enamel Mug", { exact: true }), "7");
  await page.getByRole("button", { name: "Remove Enamel Mug" }).click();
  await expect(names).toHaveText(["Moka Pot", "Linen Notebook"]);
  await expect(
    page.getByRole("status").filter({ hasText: "Enamel Mug removed from cart" }),
  ).toBeAttached();
  await expect(page.getByRole("heading", { name: "Your Cart" })).toBeFocused();

  await page.keyboard.press("Tab");
  await expect(undo).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(names).toHaveText(["Moka Pot", "Enamel Mug", "Linen Notebook"]);
  await expect(page.getByLabel("Quantity of Enamel Mug", { exact: true })).toHaveValue("7");
  await expect(
    page.getByRole("status").filter({ hasText: "Enamel Mug is back in the cart" }),
  ).toBeAttached();
  await expect(page.getByRole("heading", { name: "Your Cart" })).toBeFocused();
  await expect(undo).toBeHidden();

  await page.getByRole("button", { name: "Remove Enamel Mug" }).click();
  await expect(undo).toBeVisible();
  await page.getByRole("button", { name: "Increase quantity of Moka Pot" }).click();
  await expect(undo).toBeHidden();
});

test("Add to Cart stands out from the page in both colour schemes, and buttons are large enough for a finger", async ({
  page,
}) => {
  await fillCart(page, "Moka Pot");
  const add = page.getByRole("button", { name: "Add to Cart Enamel Mug" });
  await page.mouse.move(0, 0);
  const background = (element: Locator) =>
    element.evaluate((node) => getComputedStyle(node).backgroundColor);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // The page may paint the new colour scheme a moment later.
    await expect(async () => {
      const button = luminance(await background(add));
      const body = luminance(await background(page.locator("body")));
      const text = luminance(await add.evaluate((node) => getComputedStyle(node).color));
      expect(contrast(button, body)).toBeGreaterThanOrEqual(3);
      expect(contrast(button, text)).toBeGreaterThanOrEqual(4.5);
    }).toPass({ timeout: 5_000 });
    for (const target of await cartOf(page).getByRole("button").all()) {
      const box = await target.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
  }
});

/** The relative luminance of a colour such as `rgb(28, 25, 21)`, as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((text) => {
    const share = Number(text) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
