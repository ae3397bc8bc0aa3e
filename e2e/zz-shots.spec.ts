import { paths, withId } from "@keepsats/protocol";
import { callAdminApi } from "../test/harness/staff.ts";
import { expect, test } from "./fixtures/admin.ts";
import { placePaidOrder } from "./fixtures/orders.ts";

test("shots", async ({ page, shop, admin }) => {
  test.setTimeout(240_000);
  const both = async (name: string, full = true) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/t/m-shots/${name}-${width}.png`, fullPage: full });
    }
  };
  await callAdminApi(shop, "PATCH", withId(paths.admin.item, "enamel-mug"), {
    variant_of: "stoneware-teapot",
    variant_name: "Size M",
  });
  const order = await placePaidOrder(shop);
  await admin.open(page, "/items");
  await expect(page.getByText(/variant of Stoneware/)).toBeVisible();
  await both("items", false);
  await page.goto(`${admin.url}/items?edit=stoneware-teapot`);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Add variant" })).toBeVisible();
  await both("edit", false);
  await page.getByRole("dialog").getByRole("button", { name: "Add variant" }).click();
  await page.getByRole("dialog").getByLabel("Variant of").fill("nothing");
  await page.getByRole("dialog").getByRole("button", { name: "Add item" }).click();
  await both("variant", false);
  await page.goto(`${admin.url}/orders/${order.id}`);
  await page.getByRole("button", { name: "Refund…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount in dollars").fill("5");
  await dialog.getByRole("button", { name: "Record refund" }).click();
  await both("refund", false);
  await dialog.getByLabel("Goodwill").check();
  await dialog.getByRole("button", { name: "Record refund" }).click();
  await expect(dialog).toBeHidden();
  await both("order");
  await page.goto(`${admin.url}/books`);
  await expect(page.getByRole("table", { name: "VAT by rate" })).toBeVisible();
  await both("books");
  await page.route("**/api/auth/sign-in", (route) => route.fulfill({ json: { shop_name: "Shop", emails_links: true } }));
  await page.goto(`${admin.url}/settings/staff`);
  await expect(page.getByText("Your account has no email address")).toBeVisible();
  await both("staff", false);
});
