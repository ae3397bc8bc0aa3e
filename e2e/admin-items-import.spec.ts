import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { type Admin, expect, testOnOnePage } from "./fixtures/admin.ts";
import { textFile } from "./fixtures/files.ts";
import { loseResponse } from "./fixtures/test.ts";

const test = testOnOnePage("/items");

const IMPORT = "**/api/admin/items/import";

const dialogOn = (page: Page) => page.getByRole("dialog");
const rowOf = (page: Page, id: string) =>
  page
    .getByRole("list", { name: "Items", includeHidden: true })
    .getByRole("listitem", { includeHidden: true })
    .filter({ hasText: id });

/** Opens the dialog of an import, and selects a file in it. */
async function selectFile(page: Page, text: string, name = "items.csv"): Promise<void> {
  if (!(await dialogOn(page).isVisible()))
    await page.getByRole("button", { name: "Import…" }).click();
  await dialogOn(page)
    .getByLabel("File")
    .setInputFiles(textFile(name, "text/plain", text));
}

/** Fills in the form of a new item, except for its name. */
async function describeItem(page: Page, price: string): Promise<void> {
  const dialog = dialogOn(page);
  await dialog.getByLabel("Description").fill("For camps.");
  await dialog.getByLabel("Price in dollars").fill(price);
  await dialog.getByText("Use a picture that is on the web").click();
  await dialog.getByLabel("Address of the picture").fill("/pictures/enamel-mug.svg");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
}

async function removeItem(page: Page, admin: Admin, id: string): Promise<void> {
  await page.request.delete(`${admin.url}/api/admin/items/${id}`, {
    headers: { origin: admin.url },
  });
}

test.beforeEach(async ({ page, admin, console }) => {
  console.expect(/status of 422/);
  console.expect(/ERR_FAILED/);
  const cup = { id: "tin-cup", name: "Tin Cup", description: "For camps.", price: 9.5 };
  await admin.call("items/import", { items: [{ ...cup, image_url: "/pictures/enamel-mug.svg" }] });
  await expect(rowOf(page, "tin-cup")).toContainText("$9.50");
});

test("an import names the line that it refuses", async ({ page }) => {
  await selectFile(page, "id,price\ntin-cup,free\n");
  await expect(dialogOn(page).getByText("line 2, price:")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("an import shows its changes first", async ({ page }) => {
  const dialog = dialogOn(page);
  await selectFile(page, "id,price\ntin-cup,11\n");
  await expect(dialog.getByText("1 changed item", { exact: false })).toBeVisible();
  await expect(dialog.getByText("Price: $9.50 $11.00")).toBeVisible();
  await expect(rowOf(page, "tin-cup")).toContainText("$9.50");
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(rowOf(page, "tin-cup")).toContainText("$11.00");
});

test("a file that is sent slowly shows a progress bar", async ({ page }) => {
  const dialog = dialogOn(page);
  const network = await page.context().newCDPSession(page);
  const throttle = (uploadThroughput: number) =>
    network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  // Slow enough that the upload does not end before the limit is removed.
  await throttle(20_000);
  const large = `{"items":[{"id":"tin-cup","price":12}]}${" ".repeat(400_000)}`;
  await selectFile(page, large, "items.json");
  await expect(dialog.getByRole("progressbar", { name: "Comparing the file" })).toBeVisible();
  await throttle(-1);
  await expect(dialog.getByText("Price: $9.50 $12.00")).toBeVisible();
  await expect(dialog.getByRole("progressbar")).toHaveCount(0);
  await page.keyboard.press("Escape");
});

test("an import whose response was lost can be compared again", async ({ page }) => {
  const dialog = dialogOn(page);
  await selectFile(page, "id,price\ntin-cup,12\n");
  await expect(dialog.getByText("Price: $9.50 $12.00")).toBeVisible();
  await loseResponse(page, IMPORT);
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("No response from the shop.", { exact: false })).toBeVisible();
  await expect(dialog).toBeHidden();
  await selectFile(page, "id,price\ntin-cup,12\n");
  await expect(dialog.getByText("No changes")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("an import goes on when its dialog is closed", async ({ page }) => {
  const dialog = dialogOn(page);
  const held: (() => void)[] = [];
  await selectFile(page, "id,price\ntin-cup,13\n");
  await expect(dialog.getByText("Price: $9.50 $13.00")).toBeVisible();
  await page.route(IMPORT, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(dialog.getByText("Importing 1 item…")).toBeVisible();
  await page.keyboard.press("Escape");
  await rowOf(page, "tin-cup").getByRole("button", { name: "Edit Tin Cup" }).click();
  await expect.poll(() => held.length).toBe(1);
  held.pop()?.();
  await expect(page.getByText("Items imported")).toHaveCount(1);
  await expect(dialog.getByRole("heading", { name: "Tin Cup" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "tin-cup")).toContainText("$13.00");
});

test("an export can be imported", async ({ page }) => {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as JSON" }).click();
  await selectFile(page, await readFile(await (await download).path(), "utf8"), "items.json");
  await expect(dialogOn(page).getByText("No changes")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("a new item shows its required fields", async ({ page }) => {
  const dialog = dialogOn(page);
  await page.getByRole("button", { name: "New item" }).click();
  await expect(dialog.getByRole("button", { name: "Add item" })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole("button", { name: "Add item" }).click();
  await expect(dialog.getByText("Add a picture.")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("a new item is added after a question about closing its form", async ({ page, admin }) => {
  const dialog = dialogOn(page);
  await page.getByRole("button", { name: "New item" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Tin Mug");
  await dialog.getByText("Id: tin-mug").click();
  await dialog.getByLabel("Id", { exact: true }).fill("tin-jug");
  await dialog.getByLabel("Name", { exact: true }).fill("Tin Jug");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Stay" }).click();
  await page.mouse.click(5, 5);
  await question.press("Escape");
  await expect(question).toBeHidden();
  await describeItem(page, "9,50");
  await dialog.getByRole("button", { name: "Add item" }).click();
  await expect(rowOf(page, "tin-jug")).toContainText("$9.50");
  await removeItem(page, admin, "tin-jug");
});

test("a new item whose response was lost is added once", async ({ page, admin }) => {
  const dialog = dialogOn(page);
  await loseResponse(page, "**/api/admin/items/tin-pail");
  await page.getByRole("button", { name: "New item" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Tin Pail");
  await describeItem(page, "12");
  await dialog.getByRole("button", { name: "Add item" }).click();
  await expect(dialog.getByText("could not be reached")).toBeVisible();
  await expect(rowOf(page, "tin-pail")).toHaveCount(1);
  await dialog.getByRole("button", { name: "Add item" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, "Tin Pail")).toHaveCount(1);
  await removeItem(page, admin, "tin-pail");
});

test("an item is deleted after a confirmation, with a red button", async ({ page }) => {
  const dialog = dialogOn(page);
  await page.getByRole("button", { name: "Edit Tin Cup" }).click();
  await dialog.getByRole("button", { name: "Delete…" }).click();
  const remove = dialog.getByRole("button", { name: "Delete", exact: true });
  await expect(remove).toHaveCSS("color", "rgb(179, 38, 30)");
  await remove.click();
  await expect(rowOf(page, "Tin Cup")).toHaveCount(0);
});
