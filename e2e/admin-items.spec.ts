import type { Page } from "@playwright/test";
import { type Admin, expect, testOnOnePage } from "./fixtures/admin.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import { loseResponse } from "./fixtures/test.ts";

const test = testOnOnePage("/items");

/** Includes the rows behind an open dialog, which hides them from assistive technology. */
const rowsOf = (page: Page) =>
  page
    .getByRole("list", { name: "Items", includeHidden: true })
    .getByRole("listitem", { includeHidden: true });

/** The label of the row's button to edit its item. */
async function nameOf(page: Page, row: number): Promise<string> {
  const edit = rowsOf(page).nth(row).getByRole("button", { name: /^Edit/ });
  return (await edit.getAttribute("aria-label")) ?? "";
}

/** The row of the teapot, with its cells and the fields that open in them. */
function teapotOn(page: Page) {
  const row = rowsOf(page).filter({ hasText: "stoneware-teapot" });
  return {
    row,
    price: row.getByRole("button", { name: /^Price/ }),
    priceField: page.getByRole("textbox", { name: "Price of Stoneware Teapot" }),
    stock: row.getByRole("button", { name: /^Stock/ }),
    stockField: page.getByRole("textbox", { name: "Stock of Stoneware Teapot" }),
  };
}

const TEAPOT = "**/api/admin/items/stoneware-teapot";
const IMPORT = "**/api/admin/items/import";

/** Changes the teapot as a colleague would. */
const changeTeapot = (admin: Admin, change: object) =>
  admin.call("items/import", { items: [{ id: "stoneware-teapot", ...change }] });

/** Stores a colleague's change right before the next change of the teapot. */
const changeBeforeNext = (page: Page, admin: Admin, change: object) =>
  page.route(
    TEAPOT,
    async (route) => {
      await changeTeapot(admin, change);
      await route.continue();
    },
    { times: 1 },
  );

/** Holds requests. Returns a function that waits for one and aborts it. */
async function holdAndAbort(page: Page, path: string): Promise<() => Promise<void>> {
  const held: (() => void)[] = [];
  await page.route(path, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.abort();
  });
  return async () => {
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
  };
}

test.beforeEach(({ console }) => {
  console.expect(/status of 409/);
  console.expect(/ERR_FAILED/);
});

test("an invalid price is refused in the table", async ({ page }) => {
  const { price, priceField } = teapotOn(page);
  await price.click();
  await expect(priceField).toBeFocused();
  await page.keyboard.type("free");
  await priceField.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Enter a price such as 12.50.");
  await priceField.press("Escape");
});

test("a price is edited in the table", async ({ page }) => {
  const { price, priceField } = teapotOn(page);
  await price.click();
  await priceField.fill("49.5");
  await priceField.press("Enter");
  await expect(price).toContainText("$49.50");
  await expect(price).toBeFocused();
  await expect(page.getByText("Stoneware Teapot changed")).toBeVisible();
});

test("leaving a field saves it, or reports and discards an invalid value", async ({ page }) => {
  const { stock, stockField } = teapotOn(page);
  await stock.click();
  await page.keyboard.type("63");
  await page.keyboard.press("Tab");
  await expect(stock).toContainText("63");
  await stock.click();
  await page.keyboard.type("many");
  await page.keyboard.press("Tab");
  await expect(page.getByText("Stock of Stoneware Teapot not changed")).toBeVisible();
  await expect(stockField).toHaveCount(0);
  await expect(stock).toContainText("63");
});

test("Escape discards an edit", async ({ page, admin }) => {
  const { stock, stockField } = teapotOn(page);
  await changeTeapot(admin, { stock: null });
  await expect(stock).toContainText("not counted");
  await stock.click();
  await stockField.fill("7");
  await stockField.press("Escape");
  await expect(stock).toContainText("not counted");
});

test("a colleague's change to the open field is shown before it is replaced", async ({
  page,
  admin,
}) => {
  const { price, priceField } = teapotOn(page);
  await price.click();
  await priceField.fill("50");
  await changeTeapot(admin, { price: 47 });
  await expect(page.getByText("Price in dollars is now 47.00.")).toBeVisible();
  await expect(priceField).toHaveValue("50");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await expect(priceField).toBeFocused();
  await priceField.press("Enter");
  await expect(price).toContainText("$50.00");
});

test("of two concurrent edits in the table the later one gets the current value", async ({
  page,
  admin,
}) => {
  const { price, priceField } = teapotOn(page);
  await price.click();
  await priceField.fill("51");
  await changeBeforeNext(page, admin, { price: 46 });
  await priceField.press("Enter");
  await expect(page.getByText("Price in dollars is now 46.00.")).toBeVisible();
  await expect(priceField).toHaveValue("51");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await priceField.press("Enter");
  await expect(price).toContainText("$51.00");
});

test("of two concurrent edits in the form the later one gets the current values", async ({
  page,
  admin,
}) => {
  const { row, price, stock } = teapotOn(page);
  const dialog = page.getByRole("dialog");
  await row.getByRole("button", { name: "Edit Stoneware Teapot" }).click();
  await dialog.getByLabel("Price in dollars").fill("52");
  await changeBeforeNext(page, admin, { price: 45, stock: 30 });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Price in dollars is now 45.00")).toBeVisible();
  await expect(dialog.getByLabel("Price in dollars")).toHaveValue("52");
  await expect(dialog.getByLabel(/^Stock/)).toHaveValue("30");
  await dialog.getByRole("button", { name: "Keep mine" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(price).toContainText("$52.00");
  await expect(stock).toContainText("30");
  await changeTeapot(admin, { stock: null });
});

test("a row is moved with the keyboard, and the shop has the new order", async ({
  page,
  admin,
}) => {
  const rows = rowsOf(page);
  const first = await nameOf(page, 0);
  await rows.first().getByRole("button", { name: /^Move/ }).press("ArrowDown");
  await expect(rows.nth(1).getByRole("button", { name: first, exact: true })).toBeVisible();
  await expect(rows.nth(1).getByRole("button", { name: /^Move/ })).toBeFocused();
  await expect(page.getByText(/is at place 2 of \d+\.$/)).toBeAttached();
  await expect
    .poll(async () => JSON.stringify(await admin.call("items")).split('"id"')[2])
    .toContain(first.replace("Edit ", ""));
});

test("a row is dragged by its handle", async ({ page }) => {
  const rows = rowsOf(page);
  const first = await nameOf(page, 0);
  const target = await rows.nth(2).boundingBox();
  await rows.first().getByRole("button", { name: /^Move/ }).hover();
  await page.mouse.down();
  await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + (target?.height ?? 0) / 2, {
    steps: 5,
  });
  await expect(rows.nth(2), "it makes room").toHaveAttribute("style", /translate/);
  await page.mouse.up();
  await expect(rows.nth(2).getByRole("button", { name: first, exact: true })).toBeVisible();
});

test("a failed change is shown immediately and reverted with a notice", async ({ page }) => {
  const box = teapotOn(page).row.getByRole("checkbox", { name: "Shown in shop" });
  const abort = await holdAndAbort(page, TEAPOT);
  await box.click();
  await expect(box).not.toBeChecked();
  await abort();
  await expect(page.getByText("Stoneware Teapot not hidden")).toBeVisible();
  await expect(box).toBeChecked();
});

test("a price that could not be stored stays in its field", async ({ page }) => {
  const { row, price, priceField } = teapotOn(page);
  const abort = await holdAndAbort(page, TEAPOT);
  await price.click();
  await priceField.fill("77");
  await priceField.press("Enter");
  await abort();
  await expect(priceField).toHaveValue("77");
  await expect(priceField).toBeFocused();
  await expect(row.getByRole("alert")).toContainText("could not be reached");
  await priceField.press("Escape");
  await expect(price).toBeVisible();
  await expect(price).not.toContainText("$77.00");
});

test("a failed move is reverted with a notice", async ({ page }) => {
  const rows = rowsOf(page);
  const first = await nameOf(page, 0);
  await page.route(IMPORT, (route) => route.abort(), { times: 1 });
  await rows.first().getByRole("button", { name: /^Move/ }).press("ArrowDown");
  await expect(page.getByText("Order of the items not changed")).toBeVisible();
  await expect(rows.first().getByRole("button", { name: first, exact: true })).toBeVisible();
});

test("a move during one that fails is stored as it is shown", async ({ page, admin }) => {
  const rows = rowsOf(page);
  const [second, third] = [await nameOf(page, 1), await nameOf(page, 2)];
  const held = Promise.withResolvers<void>();
  const abort = Promise.withResolvers<void>();
  await page.route(
    IMPORT,
    async (route) => {
      held.resolve();
      await abort.promise;
      await route.abort();
    },
    { times: 1 },
  );
  await rows.first().getByRole("button", { name: /^Move/ }).press("End");
  await expect(rows.nth(1).getByRole("button", { name: third, exact: true })).toBeVisible();
  await rows.nth(1).getByRole("button", { name: /^Move/ }).press("Home");
  await expect(rows.first().getByRole("button", { name: third, exact: true })).toBeVisible();
  await held.promise;
  abort.resolve();
  const stored = async () =>
    JSON.stringify(await admin.call("items"))
      .match(/"name":"[^"]+"/g)
      ?.slice(0, 2)
      .join();
  await expect
    .poll(stored)
    .toBe([third, second].map((name) => `"name":"${name.replace("Edit ", "")}"`).join());
});

test("a stored price is shown although its response was lost", async ({ page }) => {
  const { row, price, priceField } = teapotOn(page);
  await loseResponse(page, TEAPOT);
  await price.click();
  await priceField.fill("43");
  await priceField.press("Enter");
  await expect(row.getByText("could not be reached")).toBeVisible();
  await priceField.press("Escape");
  await expect(price).toContainText("$43.00");
});

test("items are searched, the key / focuses the search, and the address keeps it", async ({
  page,
  admin,
}) => {
  const rows = rowsOf(page);
  await rows.first().getByRole("button", { name: /^Edit/ }).focus();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search" });
  await expect(search).toBeFocused();
  await page.keyboard.type("TEAPOT");
  await expect(rows).toHaveCount(1);
  await expect(page.getByText(/^1 of \d+ items$/)).toBeVisible();
  await expect(teapotOn(page).row.getByRole("button", { name: /^Move/ })).toBeDisabled();
  await expect(page).toHaveURL(/\?q=TEAPOT$/);
  await page.reload();
  await expect(search).toHaveValue("TEAPOT");
  await expect(rows).toHaveCount(1);
  await search.clear();
  await expect(rows).not.toHaveCount(1);
  await expect(page).toHaveURL(`${admin.url}/items`);
});

test("a search keeps text that is typed while the address is updated", async ({ page }) => {
  await page.getByRole("searchbox", { name: "Search" }).focus();
  await page.evaluate(() => {
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (...parameters) => {
      history.replaceState = replaceState;
      replaceState(...parameters);
      document.execCommand("insertText", false, "POT");
    };
  });
  await page.keyboard.type("TEA");
  await expect(page).toHaveURL(/\?q=TEAPOT$/);
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("TEAPOT");
});

test("a link on Today shows only the items that are sold out", async ({ page, admin }) => {
  const rows = rowsOf(page);
  await changeTeapot(admin, { stock: 0 });
  await page.goto(`${admin.url}/items?stock=none`);
  await expect(rows).toHaveCount(1);
  await expect(teapotOn(page).row).toContainText("sold out");
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(rows).not.toHaveCount(1);
  await changeTeapot(admin, { stock: null });
});

test("the table is accessible and fits at every size and colour scheme", async ({ page }) => {
  await expectFitAndAccessible(page);
});
