import { changeItems, withFields } from "./fixtures/items.ts";
import { expectFitAndAccessible, untilStill } from "./fixtures/page-checks.ts";
import { expect, test } from "./fixtures/test.ts";

const several = {
  description: "One line.\n\nAnother line.",
  in_stock: 2,
  image_urls: ["/pictures/enamel-mug.svg", "/pictures/linen-notebook.svg"],
};

test("a card opens its item; Back, Escape and Close close it, and the focus returns to the card", async ({
  page,
}) => {
  await page.goto("/");
  const link = page.getByRole("link", { name: "Moka Pot" });
  const dialog = page.getByRole("dialog", { name: "Moka Pot" });
  await expect(link).toHaveAttribute("href", "/?item=moka-pot");
  const closings = [
    () => page.goBack(),
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
  ];
  for (const close of closings) {
    await link.press("Enter");
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL("/?item=moka-pot");
    await expect(page).toHaveTitle("Moka Pot · Keepsats");
    await expect(dialog).toContainText("$45.00");
    await close();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL("/");
    await expect(page).toHaveTitle("Shop · Keepsats");
    await expect(link).toBeFocused();
  }
  await page.goForward();
  await expect(dialog).toBeVisible();
});

test("a click on the picture opens the item, and closing it does not scroll the page", async ({
  page,
}) => {
  await page.goto("/");
  const card = page.getByRole("listitem").filter({ hasText: "Oak Lounge Chair" });
  await card.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  // The link covers the card, so Playwright considers it an obstacle.
  await card.locator("img").click({ force: true });
  await expect(page.getByRole("dialog", { name: "Oak Lounge Chair" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(scrolled).toBeGreaterThan(500);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
});

test("a middle click opens the item in a new tab, where closing it shows the shop", async ({
  page,
  context,
}) => {
  await page.goto("/");
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Moka Pot" }).click({ button: "middle" }),
  ]);
  await expect(tab.getByRole("dialog", { name: "Moka Pot" })).toBeVisible();
  await tab.keyboard.press("Escape");
  await expect(tab).toHaveURL("/");
  await expect(tab.getByRole("heading", { name: "Our Products" })).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("pieces are added in the dialog until the stock is in the cart", async ({ page }) => {
  await page.goto("/?item=moka-pot");
  const dialog = page.getByRole("dialog", { name: "Moka Pot" });
  const add = dialog.getByRole("button", { name: "Add to Cart" });
  await expect(add).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(add).toBeFocused();
  await page.keyboard.press("Tab");
  expect(
    await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement === document.body || activeElement?.closest("dialog") !== null;
    }),
  ).toBe(true);

  await add.click();
  await add.click();
  await expect(dialog.getByRole("status")).toHaveText("2 in your cart");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("cart-badge")).toHaveText("2 items");
  await page.getByLabel("Quantity of Moka Pot", { exact: true }).fill("9999");
  await page.getByRole("link", { name: "Moka Pot" }).click();
  await add.click();
  await expect(dialog.getByRole("status")).toHaveText("An order can have up to 9999 of one item.");
});

test("the dialog shows the description with its line breaks, the stock and further pictures", async ({
  page,
}) => {
  await changeItems(page, withFields({ "moka-pot": several }));
  await page.goto("/?item=moka-pot");
  const dialog = page.getByRole("dialog", { name: "Moka Pot" });
  await expect(dialog.getByText("Only 2 left")).toBeVisible();
  const text = dialog.getByText("One line.");
  expect(await text.innerText()).toBe(several.description);
  await dialog.getByRole("button", { name: "Picture 2 of 3" }).click();
  await expect(dialog.getByRole("img", { name: "Moka Pot, picture 2 of 3" })).toHaveAttribute(
    "src",
    "/pictures/enamel-mug.svg",
  );
  await expect(dialog.getByRole("button", { name: "Picture 2 of 3" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("an unknown item is reported as missing, with a link to the shop", async ({ page }) => {
  await page.goto("/?item=%3Cimg%20src=x%3E&q=a");
  const dialog = page.getByRole("dialog", { name: "Item not found" });
  await dialog.getByRole("button", { name: "See all products" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/?q=a");
  await expect(page.getByRole("heading", { name: "Our Products" })).toBeFocused();
});

test("on a phone Add to Cart has equal space above and below, and does not move when pieces are added", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/?item=moka-pot");
  const dialog = page.getByRole("dialog", { name: "Moka Pot" });
  const add = dialog.getByRole("button", { name: "Add to Cart" });
  await expect(add).toBeInViewport({ ratio: 1 });
  await untilStill(page);
  const [button, strip] = await Promise.all([add.boundingBox(), add.locator("..").boundingBox()]);
  if (button === null || strip === null) throw new Error("The strip is not shown");
  const above = button.y - strip.y;
  const below = strip.y + strip.height - (button.y + button.height);
  expect(Math.abs(above - below)).toBeLessThanOrEqual(1);
  await add.click();
  await expect(dialog.getByRole("status")).toHaveText("1 in your cart");
  expect(await add.boundingBox()).toEqual(button);
});

test("axe finds no violation in the dialog, and it fits its window", async ({ page }) => {
  await changeItems(page, withFields({ "moka-pot": several, "enamel-mug": { in_stock: false } }));
  await page.goto("/?item=moka-pot");
  const dialog = page.getByRole("dialog", { name: "Moka Pot" });
  await expect(dialog.getByText("$45.00")).toBeVisible();
  const expectSize = async (width: number) => {
    const box = await dialog.boundingBox();
    if (width === 360) expect(box).toMatchObject({ x: 0, y: 0, height: 740 });
    else expect(box?.width).toBeLessThan(1_000);
  };
  await expectFitAndAccessible(page, { check: expectSize });
  await page.keyboard.press("Escape");
  await expect(page.getByText("Sold out")).toBeVisible();
  await expectFitAndAccessible(page);
});

test("below the price are links to delivery and returns, if the shop has such texts", async ({
  page,
  shop,
}) => {
  await page.goto("/?item=moka-pot");
  const dialog = page.getByRole("dialog", { name: "Moka Pot" });
  await expect(dialog).toContainText("$45.00");
  await expect(dialog.getByText("Returns")).toHaveCount(0);
  await shop.setSettings({ delivery: "https://shop.example/delivery", returns: "Within 30 days" });
  try {
    await page.reload();
    await expect(dialog.getByRole("link", { name: /^Delivery/ })).toHaveAttribute(
      "href",
      "https://shop.example/delivery",
    );
    const returns = dialog.getByRole("button", { name: "Returns" });
    await returns.click();
    await expect(page.getByText("Within 30 days")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByText("Within 30 days")).toBeHidden();
    await expect(returns).toBeFocused();
    await expect(page).toHaveURL("/?item=moka-pot");
  } finally {
    await shop.setSettings({ delivery: null, returns: null });
  }
});

test("the canonical address is that of the open item, and otherwise that of the shop", async ({
  page,
}) => {
  const canonical = page.locator("link[rel=canonical]");
  const expectPath = (path: string) =>
    expect(canonical).toHaveAttribute("href", new URL(path, page.url()).href);
  await page.goto("/?item=moka-pot&utm_source=a");
  await expectPath("/?item=moka-pot");
  await expect(page.getByRole("dialog", { name: "Moka Pot" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expectPath("/");
  await page.getByRole("link", { name: "Oak Lounge Chair" }).press("Enter");
  await expectPath("/?item=oak-chair");
  await page.goBack();
  await page.getByRole("link", { name: /^Cart/ }).click();
  await expect(page.getByRole("heading", { name: "Checkout" })).toBeVisible();
  await expect(canonical).toHaveCount(0);
});
