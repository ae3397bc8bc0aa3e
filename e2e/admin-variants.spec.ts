import { paths, withId } from "@keepsats/protocol";
import { callAdminApi } from "../test/harness/staff.ts";
import { expect, test } from "./fixtures/admin.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";

test.afterEach(async ({ shop }) => {
  for (const id of ["enamel-mug", "stoneware-teapot"])
    await callAdminApi(shop, "PATCH", withId(paths.admin.item, id), {
      variant_of: null,
      variant_name: null,
      stock: null,
    });
});

test("staff make an item a variant, and customers choose it on the page of the main item", async ({
  page,
  admin,
  shop,
  console,
}) => {
  console.expect(/status of 422/);
  const dialog = page.getByRole("dialog");

  await test.step("a variant of itself is refused, and one of another item is stored", async () => {
    await admin.open(page, "/items?edit=enamel-mug");
    await dialog.getByLabel("Variant of").fill("enamel-mug");
    await dialog.getByLabel("Variant name").fill("Mug");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Variant of must not be the item itself")).toBeVisible();
    await dialog.getByLabel("Variant of").fill("Teapot");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Choose an item from the list.")).toBeVisible();
    await dialog.getByLabel("Variant of").fill("stoneware teapot");
    await expectFitAndAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("Mug · variant of Stoneware Teapot · enamel-mug")).toBeVisible();
    const teapot = withId(paths.admin.item, "stoneware-teapot");
    await callAdminApi(shop, "PATCH", teapot, { variant_name: "Pot", stock: 2, price: 49 });
  });

  await test.step("a further variant starts with the fields of its main item", async () => {
    await page.goto(`${admin.url}/items?edit=stoneware-teapot`);
    await dialog.getByRole("button", { name: "Add variant" }).click();
    await expect(dialog.getByLabel("Variant name")).toBeFocused();
    await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("Stoneware Teapot");
    await expect(dialog.getByLabel("Variant of")).toHaveValue("stoneware-teapot");
    await expectFitAndAccessible(page);
  });

  await test.step("both are one card with the lower price, whose button opens the choice", async () => {
    await page.goto(`${shop.url}/`);
    const card = page.getByRole("listitem").filter({ hasText: "Stoneware Teapot" });
    await expect(card).toContainText("from $18.50");
    await expect(page.getByRole("heading", { name: "Enamel Mug" })).toBeHidden();
    await card.getByRole("button", { name: "Add to Cart Stoneware Teapot" }).click();
    await expect(page).toHaveURL("/?item=stoneware-teapot");
    await expect(dialog.getByRole("radio", { name: /Pot/ })).toBeChecked();
    await expect(dialog).toContainText("Only 2 left");
    await dialog.getByRole("radio", { name: /Mug/ }).click();
    await expect(page).toHaveURL("/?item=enamel-mug");
    await expect(dialog.getByRole("radio", { name: /Mug/ })).toBeChecked();
    await expectFitAndAccessible(page);
    await dialog.getByRole("button", { name: "Add to Cart Enamel Mug – Mug" }).click();
    await expect(dialog).toContainText("1 in your cart");
  });

  await test.step("the cart names the variant, and Back closes the dialog", async () => {
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("region", { name: "Your Cart" })).toContainText("Enamel Mug – Mug");
  });

  await test.step("the address of a variant opens it, and is that of the main item for search engines", async () => {
    await page.goto(`${shop.url}/?item=enamel-mug`);
    await expect(dialog.getByRole("radio", { name: /Mug/ })).toBeChecked();
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute(
      "href",
      `${shop.url}/?item=stoneware-teapot`,
    );
  });
});
