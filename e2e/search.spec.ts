import type { Page } from "@playwright/test";
import { changeItems, type ListedItem } from "./fixtures/items.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import { expect, test } from "./fixtures/test.ts";

const bowl: ListedItem = {
  id: "bowl",
  name: "Café Crème Bowl",
  description: "Glazed by hand in the colour of milk.",
  price: 21,
  image_url: "/pictures/stoneware-teapot.svg",
};

/** The twelve items of the sample, and one more. */
const openThirteen = async (page: Page, query = "") => {
  await changeItems(page, (items) => [...items, bowl]);
  await page.goto(`/${query}`);
  await expect(field(page)).toBeVisible();
};
const field = (page: Page) => page.getByRole("searchbox", { name: "Search products" });
const order = (page: Page) => page.getByLabel("Sort by");
const names = (page: Page) =>
  page.getByRole("region", { name: "Our Products" }).getByRole("heading", { level: 2 });
const count = (page: Page) => page.getByRole("search").getByRole("status");

test("with twelve items there is no search", async ({ page }) => {
  await page.goto("/?q=pot");
  await expect(names(page)).toHaveCount(12);
  await expect(page.getByRole("search")).toHaveCount(0);
});

test("from 13 items on, typing searches for prefixes of words, regardless of accents, and shows the count", async ({
  page,
}) => {
  await openThirteen(page);
  await expect(count(page)).toHaveText("13 products");
  await field(page).pressSequentially("cafe");
  await expect(names(page)).toHaveText(["Café Crème Bowl"]);
  await expect(count(page)).toHaveText("1 of 13 products");
  await field(page).fill("MILK glaz");
  await expect(names(page)).toHaveText(["Café Crème Bowl"]);
  await field(page).press("Enter");
  await expect(page).toHaveURL("/?q=MILK+glaz");
});

test("a search survives a reload, an item's dialog, and going to the checkout and back", async ({
  page,
}) => {
  await openThirteen(page);
  await field(page).fill("pot");
  await order(page).selectOption("Price, highest first");
  await expect(page).toHaveURL("/?q=pot&sort=price-down");
  const found = await names(page).allTextContents();
  expect(found).toContain("Moka Pot");
  await page.reload();
  await expect(names(page)).toHaveText(found);
  await page.getByRole("link", { name: "Moka Pot" }).click();
  await expect(page).toHaveURL("/?q=pot&sort=price-down&item=moka-pot");
  await page.goBack();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(field(page)).toHaveValue("pot");
  await page.getByRole("link", { name: /^Cart/ }).click();
  await page.goBack();
  await expect(field(page)).toHaveValue("pot");
  await expect(order(page)).toHaveValue("price-down");
  await expect(names(page)).toHaveText(found);
});

test("Back restores a text that was typed just before a click on an item, and a search that a link to the shop has ended", async ({
  page,
}) => {
  await openThirteen(page);
  await field(page).fill("moka");
  await page.getByRole("link", { name: "Moka Pot" }).click();
  await expect(page.getByRole("dialog", { name: "Moka Pot" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/?q=moka");
  await expect(names(page)).toHaveText(["Moka Pot"]);

  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await expect(names(page)).toHaveCount(13);
  await expect(field(page)).toHaveValue("");
  await page.goBack();
  await expect(field(page)).toHaveValue("moka");
  await expect(names(page)).toHaveText(["Moka Pot"]);
});

test("of 10,000 items some are shown, Show more shows the next, and all are searched", async ({
  page,
}) => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    ...bowl,
    id: `bowl-${index}`,
    name: `Bowl ${index}`,
  }));
  await changeItems(page, () => many);
  await page.goto("/");
  await expect(count(page)).toHaveText("10000 products");
  await expect(names(page)).toHaveCount(120);
  await page.getByRole("button", { name: "Show more products" }).click();
  await expect(names(page)).toHaveCount(240);
  await expect(page.getByRole("link", { name: "Bowl 120", exact: true })).toBeFocused();
  await field(page).fill("9876");
  await expect(names(page)).toHaveText(["Bowl 9876"]);
  await page.goto("/?item=bowl-9999");
  await expect(page.getByRole("dialog", { name: "Bowl 9999" })).toBeVisible();
});

test("a button clears a search that finds nothing; axe finds no violation with and without results, and both fit a phone", async ({
  page,
}) => {
  await openThirteen(page);
  await field(page).fill("<b>zebra</b>");
  await expect(page.getByText("Nothing found for “<b>zebra</b>”.")).toBeVisible();
  await expect(count(page)).toHaveText("0 of 13 products");
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(field(page)).toBeFocused();
  await expect(names(page)).toHaveCount(13);
  await expect(page).toHaveURL("/");

  await field(page).fill("pot");
  await order(page).selectOption("name");
  await expect(names(page)).not.toHaveCount(13);
  await expectFitAndAccessible(page);
  await field(page).fill("x".repeat(100));
  await expect(page.getByText("Nothing found for")).toBeVisible();
  await expectFitAndAccessible(page);
});
