import { paths, pictureSchema } from "@keepsats/protocol";
import { placeOrder } from "../test/harness/customer.ts";
import { callAdminApi } from "../test/harness/staff.ts";
import { pictureFile } from "./fixtures/files.ts";
import { placePaidOrder } from "./fixtures/orders.ts";
import { expectNoHorizontalScrolling } from "./fixtures/page-checks.ts";
import { expect, test } from "./fixtures/test.ts";

// The frame of an email runs no scripts, including those of Playwright.
test.beforeEach(({ console }) => console.expect(/^Blocked script execution in/));

test("a browser that has not stored the order opens it from the mailbox, which shows the next email live", async ({
  page: mailbox,
  shop,
}) => {
  const { id: orderId, number } = await placePaidOrder(shop);
  await mailbox.goto(`${shop.sandboxUrl}/mailbox`);
  await mailbox.getByRole("link", { name: `Your order ${number} is paid` }).click();
  const email = mailbox.frameLocator("#html");
  await expect(email.getByRole("heading", { name: "Your order is paid" })).toBeVisible();

  const [order] = await Promise.all([
    mailbox.waitForEvent("popup"),
    email.getByRole("link", { name: "View your order" }).click(),
  ]);
  await expect(order.getByText("Payment processed").first()).toBeVisible();
  await expect(order.getByText("Ada Lovelace").first()).toBeVisible();

  await shop.cli("orders", "ship", orderId);
  await expect(
    mailbox.getByRole("link", { name: `Your order ${number} is on its way` }),
  ).toBeVisible();
  await expect(mailbox.locator("nav [aria-current]")).toHaveText(/is paid/);
  await expect(email.getByRole("heading", { name: "Your order is paid" })).toBeVisible();
  await mailbox.getByRole("link", { name: "Text" }).click();
  await expect(mailbox.getByText(`/order?orderId=${orderId}#key=`)).toBeVisible();
});

test("an email shows the uploaded pictures of its items", async ({ page, shop }) => {
  const { buffer } = await pictureFile("mug.png", "#264");
  const headers = { authorization: `Bearer ${shop.token}`, "content-type": "image/png" };
  const uploaded = await fetch(shop.url + paths.admin.pictures, {
    method: "POST",
    headers,
    body: Uint8Array.from(buffer),
  });
  const { url } = pictureSchema.parse(await uploaded.json());
  await callAdminApi(shop, "PATCH", "/api/admin/items/wool-blanket", { image_url: url });
  const customer_email = "pictures@mail.example";
  await placeOrder(shop, { items: [{ item_id: "wool-blanket", quantity: 1 }], customer_email });
  await page.goto(`${shop.sandboxUrl}/mailbox`);
  await page.getByRole("link").filter({ hasText: customer_email }).click();
  const email = page.frameLocator("#html");
  await expect(email.locator("img")).toHaveJSProperty("naturalWidth", 400);
  await expect(email.getByText("Ada Lovelace")).toBeVisible();
});

test("the mailbox fits a phone, simulates faults, and can be emptied", async ({ page, shop }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await placePaidOrder(shop);
  await page.goto(`${shop.sandboxUrl}/mailbox`);
  await expect(page.getByRole("link", { name: /^Your order/ }).first()).toBeVisible();
  await expectNoHorizontalScrolling(page);
  await page
    .getByLabel("Simulate a fault for one minute")
    .selectOption({ label: "Emails are refused permanently (550)" });
  await expect
    .poll(async () => (await (await fetch(`${shop.sandboxUrl}/mailbox/emails`)).json()).fault)
    .toBe("refuse");
  await page.getByLabel("Simulate a fault for one minute").selectOption("none");
  await page.getByRole("button", { name: "Empty the mailbox" }).click();
  await expect(page.getByText("No emails yet.")).toBeVisible();
});
