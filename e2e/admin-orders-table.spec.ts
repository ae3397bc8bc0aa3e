import type { Page } from "@playwright/test";
import { expect, testOnOnePage } from "./fixtures/admin.ts";
import { placeUnpaidOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import type { Shop } from "./fixtures/shop.ts";

const test = testOnOnePage("/orders");

/** The customer of the orders of one test. */
let name: string;
test.beforeEach(() => {
  // Without digits, which are words of their own: "2a2e3a" finds all orders with "2", "a", "e" and "3".
  const hex = crypto.randomUUID().slice(0, 8);
  name = `Grace ${hex.replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)))}`;
});

const rowsOf = (page: Page) => page.locator("tbody tr");

async function placeOrder(shop: Shop, customer = name): Promise<string> {
  return (await placeUnpaidOrder(shop, "moka-pot", { customer_name: customer })).id;
}

/** Places orders of the customer and lists them, the newest first. Returns their ids, the oldest first. */
async function listOrders(page: Page, shop: Shop, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await placeOrder(shop));
  await page.getByRole("searchbox").fill(name);
  await expect(rowsOf(page)).toHaveCount(count);
  await expect(rowsOf(page).first()).toContainText(ids.at(-1)?.slice(0, 8) ?? "");
  return ids;
}

test("a search shows only matching orders", async ({ page, shop }) => {
  const rows = rowsOf(page);
  const search = page.getByRole("searchbox");
  const id = await placeOrder(shop);
  await search.waitFor();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type(name);
  await expect(page).toHaveURL(/q=Grace/);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(id.slice(0, 8));
  await expect(page.getByText("1 order found", { exact: true })).toBeVisible();
});

test("a new order is announced above the table", async ({ page, shop }) => {
  const rows = rowsOf(page);
  await listOrders(page, shop, 1);
  const id = await placeOrder(shop);
  await page.getByRole("button", { name: "1 new order" }).waitFor();
  await expect(rows).toHaveCount(1);
  await page.getByRole("button", { name: "1 new order" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(id.slice(0, 8));
});

test("a change is shown in its row, which keeps its place", async ({ page, admin, shop }) => {
  const rows = rowsOf(page);
  const [, second] = await listOrders(page, shop, 2);
  await admin.call(`orders/${second}/transitions`, { to: "Cancelled" });
  await expect(rows.first()).toContainText("Cancelled");
  await expect(rows.nth(1)).toContainText("Pending");
});

test("an order that leaves the list is marked", async ({ page, admin, shop }) => {
  const rows = rowsOf(page);
  const [first, second] = await listOrders(page, shop, 2);
  await admin.call(`orders/${second}/transitions`, { to: "Cancelled" });
  await page.getByRole("button", { name: /^Pending/ }).click();
  await expect(rows).toHaveCount(1);
  await admin.call(`orders/${first}/transitions`, { to: "Cancelled" });
  await expect(rows).toContainText("no longer in this list");
  await page.getByRole("button", { name: /^All/ }).click();
  await expect(rows).toHaveCount(2);
});

test("several statuses are listed together", async ({ page, admin, shop }) => {
  const rows = rowsOf(page);
  const [first, second, third = ""] = await listOrders(page, shop, 3);
  for (const id of [first, second])
    await admin.call(`orders/${id}/transitions`, { to: "Cancelled" });
  await page.getByLabel("Select several").check();
  await page.getByRole("button", { name: /^Pending/ }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(third.slice(0, 8));
  await page.getByRole("button", { name: /^Cancelled/ }).click();
  await expect(page).toHaveURL(/status=Pending%2CCancelled/);
  await expect(rows).toHaveCount(3);
  await admin.call(`orders/${third}/transitions`, { to: "Cancelled" });
  await expect(rows.filter({ hasText: "Cancelled" })).toHaveCount(3);
  await page.getByRole("button", { name: /^Pending/ }).click();
  await page.getByLabel("Select several").uncheck();
  await expect(page).toHaveURL(/status=Cancelled/);
  await page.getByRole("button", { name: /^All/ }).click();
  await expect(rows).toHaveCount(3);
});

test("keys move through the table, select and open", async ({ page, admin, shop }) => {
  const [first = "", second] = await listOrders(page, shop, 3);
  await page.getByRole("heading", { name: "Orders" }).click();
  for (const key of ["j", "j", "j", "x"]) await page.keyboard.press(key);
  await expect(page.getByText("1 selected")).toBeVisible();
  await expect(
    page.getByRole("row", { name: first.slice(0, 8) }).getByRole("checkbox"),
  ).toBeChecked();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${admin.url}/orders/${second}`);
  await expect(page.getByRole("heading", { name: /^Order K-/ })).toBeVisible();
  await page.goBack();
  await expect(rowsOf(page)).toHaveCount(3);
});

test("Shift selects a range", async ({ page, shop }) => {
  await listOrders(page, shop, 3);
  const boxes = rowsOf(page).getByRole("checkbox");
  await boxes.first().check();
  await boxes.nth(2).click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 selected")).toBeVisible();
  await page.getByRole("button", { name: "Clear selection" }).click();
});

test("a button selects the whole list", async ({ page, shop }) => {
  await listOrders(page, shop, 3);
  await rowsOf(page).getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Select all 3 orders" }).click();
  await expect(page.getByText("3 selected")).toBeVisible();
  await page.getByRole("button", { name: "Clear selection" }).click();
});

test("rows show their items, and the tabs count the search", async ({ page, shop }) => {
  await listOrders(page, shop, 2);
  await expect(rowsOf(page).first()).toContainText("1 item");
  await expect(page.getByRole("button", { name: "All 2", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pending 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancelled 0" })).toBeVisible();
});

test("the oldest come first on request", async ({ page, shop }) => {
  const rows = rowsOf(page);
  const [first = ""] = await listOrders(page, shop, 2);
  await page.getByLabel("Sort").selectOption("Oldest first");
  await expect(rows.first()).toContainText(first.slice(0, 8));
  await page.getByLabel("Sort").selectOption("Newest first");
  await expect(rows.last()).toContainText(first.slice(0, 8));
});

test("the export has the listed orders", async ({ page, shop }) => {
  await listOrders(page, shop, 3);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as CSV" }).click(),
  ]);
  const chunks = await (await download.createReadStream()).toArray();
  const lines = Buffer.concat(chunks).toString().trim().split("\n");
  expect(lines).toHaveLength(4);
});

test("the table is accessible and fits at every size and colour scheme", async ({ page, shop }) => {
  await listOrders(page, shop, 3);
  await expectFitAndAccessible(page, { check: () => expect(rowsOf(page)).toHaveCount(3) });
});
