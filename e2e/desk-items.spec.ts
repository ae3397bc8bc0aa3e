import { expect, test } from "./fixtures/desk.ts";
import { expectNoHorizontalScrolling, expectNoViolations, forEachLook } from "./fixtures/page-checks.ts";

const signedOut = /status of 401/;
const refused = /status of (409|422)/;

test("the catalogue is edited in place and in full, ordered, imported and exported", async ({
  page,
  desk,
  console,
}) => {
  console.expect(signedOut);
  console.expect(refused);
  await desk.open(page, "/items");
  const rows = page.getByRole("list", { name: "Items" }).getByRole("listitem");
  const row = (id: string) => rows.filter({ hasText: id });
  const dialog = page.getByRole("dialog");

  await test.step("a price and a stock are edited in the table, and a wrong one is refused there", async () => {
    await row("stoneware-teapot")
      .getByRole("button", { name: /^Price/ })
      .click();
    const price = page.getByRole("textbox", { name: "Price of Stoneware Teapot" });
    await expect(price).toBeFocused();
    await price.fill("free");
    await price.press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
    await price.fill("49.5");
    await price.press("Enter");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Price/ })).toContainText("$49.50");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Price/ })).toBeFocused();
    await row("stoneware-teapot")
      .getByRole("button", { name: /^Stock/ })
      .click();
    await page.getByRole("textbox", { name: "Stock of Stoneware Teapot" }).fill("7");
    await page.getByRole("textbox", { name: "Stock of Stoneware Teapot" }).press("Escape");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Stock/ })).toContainText(
      "not counted",
    );
  });

  await test.step("what somebody else has changed meanwhile is told before it is replaced", async () => {
    await row("stoneware-teapot")
      .getByRole("button", { name: /^Price/ })
      .click();
    const price = page.getByRole("textbox", { name: "Price of Stoneware Teapot" });
    await price.fill("50");
    await desk.call("items/import", { items: [{ id: "stoneware-teapot", price: 47 }] });
    await expect(page.getByText("Changed to 47.00 meanwhile.")).toBeVisible();
    await expect(price).toHaveValue("50");
    await price.press("Enter");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Price/ })).toContainText("$50.00");
  });

  await test.step("a row is moved by its keys, and the shop has the new order", async () => {
    const first = await rows.first().getByRole("button", { name: /^Edit/ }).getAttribute("aria-label");
    await rows.first().getByRole("button", { name: /^Move/ }).press("ArrowDown");
    await expect(rows.nth(1).getByRole("button", { name: /^Edit/ })).toHaveAttribute(
      "aria-label",
      first ?? "",
    );
    await expect
      .poll(async () => JSON.stringify(await desk.call("items")).split('"id"')[2])
      .toContain((first ?? "").replace("Edit ", ""));
  });

  await test.step("a row is dragged by its handle", async () => {
    const first = await rows.first().getByRole("button", { name: /^Edit/ }).getAttribute("aria-label");
    await rows.first().getByRole("button", { name: /^Move/ }).dragTo(rows.nth(2));
    await expect(rows.nth(2).getByRole("button", { name: /^Edit/ })).toHaveAttribute(
      "aria-label",
      first ?? "",
    );
  });

  await test.step("a new item says what it needs, and is added", async () => {
    await page.getByRole("button", { name: "New item" }).click();
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(dialog.getByText("needs a picture")).toBeVisible();
    await dialog.getByLabel("Id, in addresses and files").fill("tin-cup");
    await dialog.getByLabel("Name").fill("Tin Cup");
    await dialog.getByLabel("Text").fill("For camps.");
    await dialog.getByLabel("Price in dollars").fill("9.50");
    await dialog.getByLabel("Or the address of one").fill("/pictures/enamel-mug.svg");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(row("tin-cup")).toContainText("$9.50");
  });

  await test.step("an import is shown as differences first", async () => {
    await page.getByRole("button", { name: "Import…" }).click();
    const file = (text: string) => ({ name: "items.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await dialog.getByLabel("File").setInputFiles(file("id,price\ntin-cup,free\n"));
    await expect(dialog.getByText("line 2, price:")).toBeVisible();
    await dialog.getByLabel("File").setInputFiles(file("id,price\ntin-cup,11\n"));
    await expect(dialog.getByText("1 item is changed", { exact: false })).toBeVisible();
    await expect(dialog.getByText("Price: $9.50 $11.00")).toBeVisible();
    await expect(row("tin-cup")).toContainText("$9.50");
    await dialog.getByRole("button", { name: "Change the catalogue" }).click();
    await expect(row("tin-cup")).toContainText("$11.00");
  });

  await test.step("the export is what an import takes", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as JSON" }).click();
    const path = await (await download).path();
    await page.getByRole("button", { name: "Import…" }).click();
    await dialog.getByLabel("File").setInputFiles({
      name: "items.json",
      mimeType: "application/json",
      buffer: await (await import("node:fs/promises")).readFile(path),
    });
    await expect(dialog.getByText("Nothing is different")).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("an item is deleted after a question", async () => {
    await row("tin-cup").getByRole("button", { name: "Edit Tin Cup" }).click();
    await dialog.getByRole("button", { name: "Delete…" }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(row("tin-cup")).toHaveCount(0);
  });

  await test.step("a link of Today shows only the items that are sold out", async () => {
    await desk.call("items/import", { items: [{ id: "stoneware-teapot", stock: 0 }] });
    await page.goto(`${desk.url}/items?stock=none`);
    await expect(rows).toHaveCount(1);
    await expect(row("stoneware-teapot")).toContainText("sold out");
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(rows).not.toHaveCount(1);
    await desk.call("items/import", { items: [{ id: "stoneware-teapot", stock: null }] });
  });

  await forEachLook(page, async () => {
    await expectNoViolations(page);
    await expectNoHorizontalScrolling(page);
  });
});
