import { uploadedPictureOf } from "@keepsats/domain";
import { expect, test } from "./fixtures/admin.ts";
import { dropFiles, pasteFiles, pictureFile, textFile, writeFiles } from "./fixtures/files.ts";
import { expectNoViolations } from "./fixtures/page-checks.ts";

test("pictures of an item are picked, dropped and pasted, and other files are refused", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/status of (409|422)/);
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
