import { paths } from "@keepsats/protocol";
import { callAdminApi } from "../test/harness/staff.ts";
import { expect, test } from "./fixtures/admin.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";

test.afterEach(async ({ shop }) => {
  await callAdminApi(shop, "PUT", paths.admin.categories, { categories: [] });
});

test("staff sort items into categories, and customers browse them", async ({
  page,
  admin,
  shop,
}) => {
  const dialog = page.getByRole("dialog");
  const rows = page.getByRole("list", { name: "Items" }).getByRole("listitem");
  const products = page.getByRole("region", { name: "Our Products" });
  const links = page.getByRole("navigation", { name: "Categories" }).getByRole("link");

  await test.step("categories are added in their order; a name is in use once", async () => {
    await admin.open(page, "/items");
    await page.getByRole("button", { name: "Categories…" }).click();
    for (const name of ["Desk", "desk"]) {
      await dialog.getByRole("button", { name: "Add category" }).click();
      await expect(dialog.getByRole("textbox").last()).toBeFocused();
      await page.keyboard.type(name);
    }
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toContainText("It is already the name of another category.");
    await dialog.getByRole("textbox").last().fill("Kitchen");
    await dialog.getByRole("button", { name: "Move Kitchen up" }).click();
    await expectFitAndAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("one item gets its category in its form, several at once", async () => {
    await page.getByRole("button", { name: "Edit Moka Pot" }).click();
    await dialog.getByLabel("Category").selectOption("Kitchen");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(rows.filter({ hasText: "moka-pot" })).toContainText("Kitchen");
    for (const name of ["Linen Notebook", "Walnut Pocket Knife"])
      await page.getByLabel(`Select ${name}`).click();
    await page.getByRole("button", { name: "Set category…" }).click();
    await dialog.getByLabel("Category").selectOption("Desk");
    await expect(dialog).toContainText("without a category → Desk");
    await dialog.getByRole("button", { name: "Set category" }).click();
    await expect(dialog).toBeHidden();
    await page.getByLabel("Category").selectOption("Desk");
    await expect(rows).toHaveCount(2);
    await expect(page).toHaveURL(/\?category=Desk$/);
  });

  await test.step("the shop has a link for each category, which Back leaves", async () => {
    await page.goto(`${shop.url}/`);
    await expect(links).toHaveText(["All", "Kitchen", "Desk"]);
    await links.filter({ hasText: "Desk" }).click();
    await expect(page).toHaveURL("/?category=desk");
    await expect(page).toHaveTitle(/^Desk · /);
    await expect(products.getByRole("heading", { level: 2 })).toHaveText([
      "Linen Notebook",
      "Walnut Pocket Knife",
    ]);
    await page.getByRole("link", { name: "Linen Notebook" }).click();
    await expect(page).toHaveURL("/?category=desk&item=linen-notebook");
    await page.goBack();
    await expect(dialog).toBeHidden();
    await page.reload();
    await expect(products.getByRole("heading", { level: 2 })).toHaveCount(2);
    await expectFitAndAccessible(page);
    await page.goBack();
    await expect(products.getByRole("heading", { level: 2 })).toHaveCount(12);
    await expect(page.getByRole("link", { name: "All", exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
  });
});
