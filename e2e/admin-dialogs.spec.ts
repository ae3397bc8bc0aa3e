import { expect, test } from "./fixtures/admin.ts";
import { textFile } from "./fixtures/files.ts";
import { placeUnpaidOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible, expectUncovered } from "./fixtures/page-checks.ts";

const sizes = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];

test("a dialog shows errors beside its buttons and asks about conflicts before it saves", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/status of (409|422)|ERR_FAILED/);
  await admin.open(page, "/items");
  const dialog = page.getByRole("dialog");
  const alert = dialog.getByRole("alert");
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const price = dialog.getByLabel("Price in dollars");
  const path = "**/api/admin/items/desk-lamp";
  const edit = page.getByRole("button", { name: "Edit Brass Desk Lamp" });
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "PATCH") sent += 1;
  });

  for (const [index, size] of sizes.entries()) {
    await page.setViewportSize(size);
    await test.step(`at ${size.width} × ${size.height}`, async () => {
      await edit.click();
      await price.fill("free");
      await price.press("Enter");
      await expect(
        alert.filter({ hasText: "Nothing was saved. Please fix: Price in dollars." }),
      ).toBeVisible();
      await expectUncovered(alert.filter({ hasText: "Nothing was saved" }));

      await price.fill(`5${index}`);
      await page.route(path, (route) => route.abort(), { times: 1 });
      await price.press("Enter");
      await expectUncovered(alert.filter({ hasText: "could not be reached" }));

      await admin.call("items/import", { items: [{ id: "desk-lamp", price: 40 + index }] });
      await price.press("Enter");
      const conflict = alert.filter({ hasText: `Price in dollars is now ${40 + index}.00` });
      await expectUncovered(conflict);
      const before = sent;
      await save.click({ force: true });
      await price.press("Enter");
      await expect(conflict).toBeVisible();
      expect(sent).toBe(before);
      if (index === 0) {
        await conflict.getByRole("button", { name: "Take theirs" }).click();
        await expect(price).toHaveValue("40.00");
        await page.keyboard.press("Escape");
      } else {
        await conflict.getByRole("button", { name: "Keep mine" }).click();
        await expect(price).toHaveValue("51");
        await save.click();
      }
      await expect(dialog).toBeHidden();

      await page.getByRole("button", { name: "Import…" }).click();
      const rows = Array.from(
        { length: 40 },
        (_, row) => `a-${row},Item,Good,1,/pictures/enamel-mug.svg`,
      );
      const file = `id,name,description,price,image_url\n${rows.join("\n")}\n`;
      await dialog.getByLabel("File").setInputFiles(textFile("items.csv", "text/csv", file));
      await page.route("**/api/admin/items/import", (route) =>
        route.fulfill({
          status: 422,
          json: {
            title: "Invalid",
            status: 422,
            code: "invalid",
            detail: "The catalogue is full.",
          },
        }),
      );
      await dialog.getByRole("button", { name: "Import" }).click();
      await expectUncovered(alert.filter({ hasText: "The catalogue is full." }));
      await page.unroute("**/api/admin/items/import");
      await page.keyboard.press("Escape");
    });
  }
});

test("text typed during a save is kept, and a failure is reported after the dialog is closed", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/ERR_FAILED/);
  await admin.open(page, "/items");
  const dialog = page.getByRole("dialog", { name: "Brass Desk Lamp" });
  const description = dialog.getByLabel("Description");
  const edit = page.getByRole("button", { name: "Edit Brass Desk Lamp" });
  /** Holds the next save. Returns a function that lets it end. */
  const holdSave = async (end: "continue" | "abort") => {
    const held = Promise.withResolvers<void>();
    await page.route(
      "**/api/admin/items/desk-lamp",
      async (route) => {
        await held.promise;
        await route[end]();
      },
      { times: 1 },
    );
    return held.resolve;
  };
  await edit.click();
  await description.fill("Typed before.");
  const store = await holdSave("continue");
  await dialog.getByRole("button", { name: "Save" }).click();
  await description.fill("Typed during the save.");
  store();
  await expect(page.getByText("Brass Desk Lamp changed")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeVisible();
  await expect(description).toHaveValue("Typed during the save.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();

  await edit.click();
  await expect(description).toHaveValue("Typed during the save.");
  await description.fill("Lost.");
  const fail = await holdSave("abort");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(dialog).toBeHidden();
  fail();
  await expect(page.getByText("Change not saved")).toBeVisible();
});

test("Escape leaves a confirmation, and then asks about unsaved input", async ({ page, admin }) => {
  await admin.open(page, "/items");
  await page.getByRole("button", { name: "Edit Brass Desk Lamp" }).click();
  await page.getByLabel("Description").fill("Unsaved.");
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the palette finds orders, items, screens and actions, and ? lists the keys", async ({
  page,
  admin,
  shop,
}) => {
  const name = `Palette ${crypto.randomUUID().slice(0, 6)}`;
  const order = await placeUnpaidOrder(shop, "moka-pot", { customer_name: name });
  await admin.open(page, "/orders");
  await expect(page.getByRole("table")).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Find" });
  const option = palette.getByRole("option");
  const highlighted = palette.locator("[data-highlighted]");

  await test.step("an order is opened with the keyboard alone", async () => {
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible();
    await page.keyboard.type("moka");
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();
    await page.keyboard.press("Control+k");
    await expect(palette.getByRole("combobox", { name: "Find" })).toBeFocused();
    await page.keyboard.type(name);
    await expect(highlighted).toContainText(name);
    await expect(option.filter({ hasText: "Pending" })).toHaveCount(1);
    await expectFitAndAccessible(page);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${admin.url}/orders/${order.id}`);
    await expect(palette).toBeHidden();
  });

  await test.step("a screen, an item and an action", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("payments");
    await expect(highlighted).toHaveText("Payments");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${admin.url}/payments`);
    await page.getByRole("button", { name: "Find" }).click();
    await page.keyboard.type("desk lamp");
    await option.filter({ hasText: "Brass Desk Lamp" }).click();
    await expect(page.getByRole("dialog", { name: "Brass Desk Lamp" })).toBeVisible();
    await expect(page).toHaveURL(`${admin.url}/items`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("export items");
    const download = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    expect((await download).suggestedFilename()).toBe("items.csv");
    await expect(palette).toBeHidden();
  });

  await test.step("? lists the keys of the screen, and types in a field", async () => {
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await expect(keys).toContainText("Search");
    await expectFitAndAccessible(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.press("?");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("?");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("unsaved input is kept until its author decides", async () => {
    await page.goto(`${admin.url}/settings`);
    await page.getByLabel("Greeting").fill("Unsaved");
    await page.getByRole("heading", { name: "Settings" }).click();
    await page.getByLabel("Greeting").blur();
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("today");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("Greeting")).toHaveValue("Unsaved");
  });
});
