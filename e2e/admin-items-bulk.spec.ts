import { expect, test } from "./fixtures/admin.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";

test("several items are hidden, and their prices changed in percent after a preview", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/status of (409|422)/);
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
    await expect(planned("Bulk C")).toContainText("a colleague has changed it. It is now $31.00.");
    await expect(dialog.getByText("1 item changed, 1 not.")).toBeVisible();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.keyboard.press("Escape");
  });

  for (const id of ["bulk-a", "bulk-b", "bulk-c"])
    await page.request.delete(`${admin.url}/api/admin/items/${id}`, {
      headers: { origin: admin.url },
    });
});
