import { uploadedPictureOf } from "@keepsats/domain";
import { expect, test } from "./fixtures/admin.ts";
import { dropFiles, pasteFiles, pictureFile, textFile, writeFiles } from "./fixtures/files.ts";
import { expectFitAndAccessible, expectNoViolations } from "./fixtures/page-checks.ts";

const refused = /status of (409|422)/;

test("the catalogue is edited, sorted, imported and exported", async ({ page, admin, console }) => {
  console.expect(refused);
  console.expect(/ERR_FAILED/);
  await admin.open(page, "/items");
  // Includes the rows behind an open dialog, which hides them from assistive technology.
  const rows = page
    .getByRole("list", { name: "Items", includeHidden: true })
    .getByRole("listitem", { includeHidden: true });
  const row = (id: string) => rows.filter({ hasText: id });
  const dialog = page.getByRole("dialog");

  await test.step("a price and a stock are edited in the table, and an invalid price is refused there", async () => {
    await row("stoneware-teapot")
      .getByRole("button", { name: /^Price/ })
      .click();
    const price = page.getByRole("textbox", { name: "Price of Stoneware Teapot" });
    await expect(price).toBeFocused();
    await page.keyboard.type("free");
    await price.press("Enter");
    await expect(page.getByRole("alert")).toHaveText("Enter a price such as 12.50.");
    await price.fill("49.5");
    await price.press("Enter");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Price/ })).toContainText(
      "$49.50",
    );
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Price/ })).toBeFocused();
    await expect(row("stoneware-teapot").getByRole("img", { name: "Saved" })).toBeVisible();
    await row("stoneware-teapot")
      .getByRole("button", { name: /^Stock/ })
      .click();
    // Typing after Enter starts the next edit, even while the first is being stored.
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
    await page.keyboard.type("63");
    await expect(page.getByRole("textbox", { name: "Stock of Stoneware Teapot" })).toHaveValue(
      "63",
    );
    await page.keyboard.press("Enter");
    const stock = row("stoneware-teapot").getByRole("button", { name: /^Stock/ });
    await expect(stock).toContainText("63");
    await expect(stock).toHaveAttribute("aria-busy", "false");
    await page.keyboard.type("8");
    await expect(page.getByRole("textbox", { name: "Stock of Stoneware Teapot" })).toHaveValue("8");
    await page.keyboard.press("Escape");
    await admin.call("items/import", { items: [{ id: "stoneware-teapot", stock: null }] });
    await expect(stock).toContainText("not counted");
    await stock.click();
    await page.getByRole("textbox", { name: "Stock of Stoneware Teapot" }).fill("7");
    await page.getByRole("textbox", { name: "Stock of Stoneware Teapot" }).press("Escape");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Stock/ })).toContainText(
      "not counted",
    );
  });

  await test.step("a colleague's change to the open field is shown before it is replaced", async () => {
    await row("stoneware-teapot")
      .getByRole("button", { name: /^Price/ })
      .click();
    const price = page.getByRole("textbox", { name: "Price of Stoneware Teapot" });
    await price.fill("50");
    await admin.call("items/import", { items: [{ id: "stoneware-teapot", price: 47 }] });
    await expect(page.getByText("Someone else changed this to 47.00.")).toBeVisible();
    await expect(price).toHaveValue("50");
    await price.press("Enter");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Price/ })).toContainText(
      "$50.00",
    );
  });

  await test.step("of two concurrent edits the later one gets the current value, in the table and in the form", async () => {
    const path = "**/api/admin/items/stoneware-teapot";
    /** A colleague's change is stored right before the next one. */
    const beforeNext = (item: object) =>
      page.route(
        path,
        async (route) => {
          await admin.call("items/import", { items: [{ id: "stoneware-teapot", ...item }] });
          await route.continue();
        },
        { times: 1 },
      );
    const priceButton = row("stoneware-teapot").getByRole("button", { name: /^Price/ });
    // A price cannot be opened while it is being saved.
    await expect(priceButton).toHaveAttribute("aria-busy", "false");
    await priceButton.click();
    const price = page.getByRole("textbox", { name: "Price of Stoneware Teapot" });
    await price.fill("51");
    await beforeNext({ price: 46 });
    await price.press("Enter");
    await expect(page.getByText("Someone else changed this to 46.00.")).toBeVisible();
    await expect(price).toHaveValue("51");
    await price.press("Enter");
    await expect(priceButton).toContainText("$51.00");

    await row("stoneware-teapot").getByRole("button", { name: "Edit Stoneware Teapot" }).click();
    await dialog.getByLabel("Price in dollars").fill("52");
    await beforeNext({ price: 45, stock: 30 });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Price in dollars is now 45.00")).toBeVisible();
    await expect(dialog.getByLabel("Price in dollars")).toHaveValue("52");
    await expect(dialog.getByLabel(/^Stock/)).toHaveValue("30");
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(priceButton).toContainText("$52.00");
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Stock/ })).toContainText(
      "30",
    );
    await admin.call("items/import", { items: [{ id: "stoneware-teapot", stock: null }] });
  });

  await test.step("a row is moved with the keyboard, and the shop has the new order", async () => {
    const first = await rows
      .first()
      .getByRole("button", { name: /^Edit/ })
      .getAttribute("aria-label");
    await rows.first().getByRole("button", { name: /^Move/ }).press("ArrowDown");
    await expect(rows.nth(1).getByRole("button", { name: /^Edit/ })).toHaveAttribute(
      "aria-label",
      first ?? "",
    );
    await expect(rows.nth(1).getByRole("button", { name: /^Move/ })).toBeFocused();
    await expect(page.getByText(/is at place 2 of \d+\.$/)).toBeAttached();
    await expect
      .poll(async () => JSON.stringify(await admin.call("items")).split('"id"')[2])
      .toContain((first ?? "").replace("Edit ", ""));
  });

  await test.step("a row is dragged by its handle", async () => {
    const first = await rows
      .first()
      .getByRole("button", { name: /^Edit/ })
      .getAttribute("aria-label");
    const target = await rows.nth(2).boundingBox();
    await rows.first().getByRole("button", { name: /^Move/ }).hover();
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + (target?.height ?? 0) / 2, {
      steps: 5,
    });
    await expect(rows.nth(2), "it makes room").toHaveAttribute("style", /translate/);
    await page.mouse.up();
    await expect(rows.nth(2).getByRole("button", { name: /^Edit/ })).toHaveAttribute(
      "aria-label",
      first ?? "",
    );
  });

  await test.step("a failed change is shown immediately and reverted with a notice", async () => {
    const box = row("stoneware-teapot").getByRole("checkbox", { name: "Shown in shop" });
    const held: (() => void)[] = [];
    await page.route("**/api/admin/items/stoneware-teapot", async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.abort();
    });
    await box.click();
    await expect(box).not.toBeChecked();
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
    await expect(page.getByText("Stoneware Teapot is still shown in the shop.")).toBeVisible();
    await expect(box).toBeChecked();

    const priceButton = row("stoneware-teapot").getByRole("button", { name: /^Price/ });
    await priceButton.click();
    const price = page.getByRole("textbox", { name: "Price of Stoneware Teapot" });
    await price.fill("77");
    await price.press("Enter");
    await expect(priceButton).toContainText("$77.00");
    await expect(priceButton).toBeFocused();
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
    await expect(price).toHaveValue("77");
    await expect(price).toBeFocused();
    await expect(row("stoneware-teapot").getByRole("alert")).toContainText("could not be reached");
    await price.press("Escape");
    await expect(priceButton).not.toContainText("$77.00");
    await page.unroute("**/api/admin/items/stoneware-teapot");

    await page.route("**/api/admin/items/import", (route) => route.abort(), { times: 1 });
    const first =
      (await rows.first().getByRole("button", { name: /^Edit/ }).getAttribute("aria-label")) ?? "";
    await rows.first().getByRole("button", { name: /^Move/ }).press("ArrowDown");
    await expect(page.getByText("The order of the items was not changed.")).toBeVisible();
    await expect(rows.first().getByRole("button", { name: first })).toBeVisible();

    const third =
      (await rows.nth(2).getByRole("button", { name: /^Edit/ }).getAttribute("aria-label")) ?? "";
    await page.route(
      "**/api/admin/items/import",
      async (route) => {
        await new Promise<void>((resolve) => held.push(resolve));
        await route.abort();
      },
      { times: 1 },
    );
    await rows.first().getByRole("button", { name: /^Move/ }).press("End");
    await expect(rows.nth(1).getByRole("button", { name: third })).toBeVisible();
    await rows.nth(1).getByRole("button", { name: /^Move/ }).press("Home");
    await expect(rows.first().getByRole("button", { name: third })).toBeVisible();
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
    const stored = async () =>
      JSON.stringify(await admin.call("items"))
        .match(/"name":"[^"]+"/g)
        ?.slice(0, 2)
        .join();
    await expect
      .poll(stored)
      .toBe([third, first].map((name) => `"name":"${name.replace("Edit ", "")}"`).join());
  });

  await test.step("a stored price is shown although its response was lost", async () => {
    await page.route(
      "**/api/admin/items/stoneware-teapot",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const priceButton = row("stoneware-teapot").getByRole("button", { name: /^Price/ });
    await priceButton.click();
    const price = page.getByRole("textbox", { name: "Price of Stoneware Teapot" });
    await price.fill("43");
    await price.press("Enter");
    await expect(row("stoneware-teapot").getByRole("alert")).toContainText("could not be reached");
    await price.press("Escape");
    await expect(priceButton).toContainText("$43.00");
  });

  await test.step("items are searched, the key / focuses the search, and the address keeps it", async () => {
    await rows.first().getByRole("button", { name: /^Edit/ }).focus();
    await page.keyboard.press("/");
    const search = page.getByRole("searchbox", { name: "Search" });
    await expect(search).toBeFocused();
    await page.keyboard.type("TEAPOT");
    await expect(rows).toHaveCount(1);
    await expect(page.getByText(/^1 of \d+ items$/)).toBeVisible();
    await expect(row("stoneware-teapot").getByRole("button", { name: /^Move/ })).toBeDisabled();
    await expect(page).toHaveURL(/\?q=TEAPOT$/);
    await page.reload();
    await expect(search).toHaveValue("TEAPOT");
    await expect(rows).toHaveCount(1);
    await search.clear();
    await expect(rows).not.toHaveCount(1);
    await expect(page).toHaveURL(`${admin.url}/items`);
  });

  await test.step("a new item shows its required fields and is added", async () => {
    await page.getByRole("button", { name: "New item" }).click();
    await expect(dialog.getByRole("button", { name: "Add item" })).toBeInViewport({ ratio: 1 });
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(dialog.getByText("Add a picture.")).toBeVisible();
    await dialog.getByLabel("Name", { exact: true }).fill("Tin Mug");
    await dialog.getByText("Id: tin-mug").click();
    await dialog.getByLabel("Id", { exact: true }).fill("tin-cup");
    await dialog.getByLabel("Name", { exact: true }).fill("Tin Cup");
    await dialog.getByLabel("Description").fill("For camps.");
    await dialog.getByLabel("Price in dollars").fill("9,50");
    const question = page.getByRole("dialog", { name: "Close without saving?" });
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await page.mouse.click(5, 5);
    await question.press("Escape");
    await expect(question).toBeHidden();
    await dialog.getByText("Use a picture that is on the web").click();
    await dialog.getByLabel("Address of the picture").fill("/pictures/enamel-mug.svg");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(row("tin-cup")).toContainText("$9.50");
  });

  await test.step("a new item whose response was lost is added once", async () => {
    await page.route(
      "**/api/admin/items/tin-pail",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "New item" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Tin Pail");
    await dialog.getByLabel("Description").fill("For wells.");
    await dialog.getByLabel("Price in dollars").fill("12");
    await dialog.getByText("Use a picture that is on the web").click();
    await dialog.getByLabel("Address of the picture").fill("/pictures/enamel-mug.svg");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(dialog.getByText("could not be reached")).toBeVisible();
    await expect(row("tin-pail")).toHaveCount(1);
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(dialog).toBeHidden();
    await expect(rows.filter({ hasText: "Tin Pail" })).toHaveCount(1);
  });

  await test.step("an import shows its changes first", async () => {
    await page.getByRole("button", { name: "Import…" }).click();
    const file = (text: string) => ({
      name: "items.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });
    await dialog.getByLabel("File").setInputFiles(file("id,price\ntin-cup,free\n"));
    await expect(dialog.getByText("line 2, price:")).toBeVisible();
    await dialog.getByLabel("File").setInputFiles(file("id,price\ntin-cup,11\n"));
    await expect(dialog.getByText("1 item will be changed", { exact: false })).toBeVisible();
    await expect(dialog.getByText("Price: $9.50 $11.00")).toBeVisible();
    await expect(row("tin-cup")).toContainText("$9.50");
    await dialog.getByRole("button", { name: "Import" }).click();
    await expect(row("tin-cup")).toContainText("$11.00");
  });

  await test.step("an import shows its progress, and the next step if its response is lost", async () => {
    const network = await page.context().newCDPSession(page);
    const throttle = (uploadThroughput: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await page.getByRole("button", { name: "Import…" }).click();
    // Slow enough that the upload does not end before the limit is removed.
    await throttle(20_000);
    const large = `{"items":[{"id":"tin-cup","price":12}]}${" ".repeat(400_000)}`;
    await dialog
      .getByLabel("File")
      .setInputFiles(textFile("items.json", "application/json", large));
    const progress = dialog.getByRole("progressbar", { name: "Sending the file…" });
    await expect(progress).toHaveJSProperty("max", large.length);
    await expect(dialog.getByText(/^Sending the file: 0\.\d of 0\.4 MB$/)).toBeVisible();
    await throttle(-1);
    await expect(dialog.getByText("Price: $11.00 $12.00")).toBeVisible();
    await expect(dialog.getByRole("progressbar")).toHaveCount(0);

    // The shop stores the file, and the connection is lost before the response.
    const path = "**/api/admin/items/import";
    await page.route(
      path,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByRole("button", { name: "Import" }).click();
    await expect(dialog.getByText("No response from the shop.", { exact: false })).toBeVisible();
    await expect(dialog.getByText("Nothing was changed")).toBeHidden();
    await dialog.getByRole("button", { name: "Compare again" }).click();
    await expect(dialog.getByText("No changes")).toBeVisible();

    const held: (() => void)[] = [];
    await page.route(path, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await dialog
      .getByLabel("File")
      .setInputFiles(textFile("items.csv", "text/csv", "id,price\ntin-cup,13\n"));
    await dialog.getByRole("button", { name: "Import" }).click();
    await expect(dialog.getByText("Importing 1 item…")).toBeVisible();
    await page.keyboard.press("Escape");
    await row("tin-cup").getByRole("button", { name: "Edit Tin Cup" }).click();
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
    await expect(page.getByText("Items imported.")).toHaveCount(1);
    await expect(dialog.getByRole("heading", { name: "Tin Cup" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.unroute(path);
    await expect(row("tin-cup")).toContainText("$13.00");
  });

  await test.step("an export can be imported", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as JSON" }).click();
    const path = await (await download).path();
    await page.getByRole("button", { name: "Import…" }).click();
    await dialog.getByLabel("File").setInputFiles({
      name: "items.json",
      mimeType: "application/json",
      buffer: await (await import("node:fs/promises")).readFile(path),
    });
    await expect(dialog.getByText("No changes")).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("items are deleted after a confirmation, with a red button", async () => {
    for (const name of ["Tin Cup", "Tin Pail"]) {
      await page.getByRole("button", { name: `Edit ${name}` }).click();
      await dialog.getByRole("button", { name: "Delete…" }).click();
      const remove = dialog.getByRole("button", { name: "Delete", exact: true });
      await expect(remove).toHaveCSS("color", "rgb(179, 38, 30)");
      await remove.click();
      await expect(rows.filter({ hasText: name })).toHaveCount(0);
    }
  });

  await test.step("a link on Today shows only the items that are sold out", async () => {
    await admin.call("items/import", { items: [{ id: "stoneware-teapot", stock: 0 }] });
    await page.goto(`${admin.url}/items?stock=none`);
    await expect(rows).toHaveCount(1);
    await expect(row("stoneware-teapot")).toContainText("sold out");
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(rows).not.toHaveCount(1);
    await admin.call("items/import", { items: [{ id: "stoneware-teapot", stock: null }] });
  });

  await expectFitAndAccessible(page);
});

test("several items are hidden, and their prices changed in percent after a preview", async ({
  page,
  admin,
  console,
}) => {
  console.expect(refused);
  await admin.open(page, "/items");
  const list = page.getByRole("list", { name: "Items", includeHidden: true });
  const row = (id: string) =>
    list.getByRole("listitem", { includeHidden: true }).filter({ hasText: id });
  const dialog = page.getByRole("dialog");
  const planned = (name: string) => dialog.getByRole("listitem").filter({ hasText: name });
  await admin.call("items/import", {
    items: [
      { id: "bulk-a", name: "Bulk A", price: 19.99 },
      { id: "bulk-b", name: "Bulk B", price: 0.01 },
      { id: "bulk-c", name: "Bulk C", price: 30 },
    ].map((item) => ({ description: "One.", image_url: "/pictures/desk-lamp.svg", ...item })),
  });

  await test.step("Shift selects a range, and hiding reports each item", async () => {
    await page.getByRole("searchbox", { name: "Search" }).fill("bulk-");
    await page.getByRole("checkbox", { name: "Select Bulk A" }).click();
    await page.getByRole("checkbox", { name: "Select Bulk C" }).click({ modifiers: ["Shift"] });
    await expect(page.getByText("3 selected")).toBeVisible();
    await expectFitAndAccessible(page);
    await page.getByRole("button", { name: "Hide 3 items" }).click();
    await expect(planned("Bulk B")).toContainText("shown → not shown");
    await dialog.getByRole("button", { name: "Hide", exact: true }).click();
    await expect(page.getByText("3 items hidden")).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(row("bulk-b").getByRole("checkbox", { name: "Shown in shop" })).not.toBeChecked();
  });

  await test.step("the preview shows each new price, and refuses what is not a percentage", async () => {
    await page.getByRole("button", { name: "Select all 3 items" }).click();
    await page.getByRole("button", { name: "Change prices…" }).click();
    await expect(dialog.getByLabel("Change in percent")).toBeFocused();
    await page.keyboard.type("NaN");
    await page.keyboard.press("Enter");
    await expect(dialog.getByText("Enter a percentage such as 10 or -12.5.")).toBeVisible();
    await dialog.getByLabel("Change in percent").fill("-60");
    await expect(planned("Bulk A")).toContainText("$19.99 → $8.00");
    await expect(planned("Bulk B")).toContainText("stays $0.01: not a price");
    await expectFitAndAccessible(page);
  });

  await test.step("a colleague's price is not overwritten, and the others change", async () => {
    await admin.call("items/import", { items: [{ id: "bulk-c", price: 31 }] });
    await dialog.getByRole("button", { name: "Change prices" }).click();
    await expect(planned("Bulk A")).toContainText("Now $8.00.");
    await expect(planned("Bulk C")).toContainText("someone else has changed it. It is now $31.00.");
    await expect(dialog.getByText("1 item changed, 1 not.")).toBeVisible();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.keyboard.press("Escape");
  });

  for (const id of ["bulk-a", "bulk-b", "bulk-c"])
    await page.request.delete(`${admin.url}/api/admin/items/${id}`, {
      headers: { origin: admin.url },
    });
});

test("pictures of an item are picked, dropped and pasted, and other files are refused", async ({
  page,
  admin,
  console,
}) => {
  console.expect(refused);
  await admin.open(page, "/items");
  const dialog = page.getByRole("dialog");
  const pictures = dialog.getByRole("group", { name: "Pictures" });
  const shown = pictures.getByRole("listitem").locator("img");

  await test.step("the first picture of a new item is picked", async () => {
    await page.getByRole("button", { name: "New item" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Felt Slippers");
    await expect(dialog.getByText("Id: felt-slippers")).toBeVisible();
    await dialog.getByLabel("Description").fill("Warm.");
    await dialog.getByLabel("Price in dollars").fill("80");
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(dialog.getByText("Add a picture.")).toBeVisible();
    await pictures.getByLabel(/pick them/).setInputFiles(await pictureFile("slippers.png", "#a43"));
    await expect(shown).toHaveCount(1);
    await expect(dialog.getByText("Add a picture.")).toBeHidden();
    await expect
      .poll(() => shown.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBe(400);
    await dialog.getByRole("button", { name: "Add item" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("more pictures are dropped and pasted, anywhere in the dialog", async () => {
    await page.getByRole("button", { name: "Edit Felt Slippers" }).click();
    await dropFiles(dialog.getByLabel("Description"), [
      await pictureFile("side.png", "#264"),
      await pictureFile("back.png", "#462"),
    ]);
    await expect(shown).toHaveCount(3);
    await dialog.getByLabel("Name", { exact: true }).focus();
    await pasteFiles(page, [await pictureFile("image.png", "#642")]);
    await expect(shown).toHaveCount(4);
  });

  await test.step("a file that is not a picture is refused by name and does not stop the others", async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await pictures
      .getByLabel(/pick them/)
      .setInputFiles(
        await writeFiles([
          textFile("notes.png", "image/png", "no picture"),
          textFile("drawing.svg", "image/svg+xml", script),
          await pictureFile("corner.png", "#246"),
          { name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(13 * 1024 * 1024) },
        ]),
      );
    await expect(
      pictures.getByText("notes.png: The file is not a picture that the shop can read"),
    ).toBeVisible();
    await expect(
      pictures.getByText("drawing.svg: SVG is not accepted, because it can contain scripts"),
    ).toBeVisible();
    await expect(pictures.getByText("huge.png: A picture may have at most 12 MB.")).toBeVisible();
    await expect(shown).toHaveCount(5);
    await expectNoViolations(page);
  });

  await test.step("the shop's page shows them in sizes", async () => {
    await dialog.getByRole("button", { name: "Picture 2 to the front" }).click();
    await dialog.getByRole("button", { name: "Remove picture 5" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await page.goto("/?item=felt-slippers");
    const large = page.getByRole("dialog", { name: "Felt Slippers" }).getByRole("img").first();
    await expect(large).toHaveAttribute("srcset", /-400 400w,.*-800 800w,.*-900 900w$/);
    const source = await large.getAttribute("src");
    expect(uploadedPictureOf(source ?? "")).toMatchObject({ width: 900 });
    await expect
      .poll(() => large.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBeGreaterThan(0);
  });

  await page.goto(`${admin.url}/items`);
  await page.getByRole("button", { name: "Edit Felt Slippers" }).click();
  await dialog.getByRole("button", { name: "Delete…" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("button", { name: "Edit Felt Slippers" })).toHaveCount(0);
});

test("a search keeps text that is typed while the address is updated", async ({ page, admin }) => {
  await admin.open(page, "/items");
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
