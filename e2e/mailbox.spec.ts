import { placePaidOrder } from "./fixtures/orders.ts";
import { expectNoHorizontalScrolling } from "./fixtures/page-checks.ts";
import { buy, expect, test } from "./fixtures/test.ts";

// The frame of a letter runs no script, also none of the browser tests.
test.beforeEach(({ console }) => console.expect(/^Blocked script execution in/));

test("whoever has closed the tab follows the link in the mailbox to the order, and the mailbox tells live when it ships", async ({
  page,
  shop,
  context,
}) => {
  const { orderId } = await buy(page, "Moka Pot");
  const short = orderId.slice(0, 8);
  await expect(page.getByRole("heading", { name: "Payment processed" })).toBeVisible();
  await page.close();
  const mailbox = await context.newPage();
  await mailbox.goto(`${shop.lenderUrl}/mailbox`);
  await mailbox.getByRole("button", { name: `Your order ${short} is paid` }).click();
  const letter = mailbox.frameLocator("#html");
  await expect(letter.getByRole("heading", { name: "Your order is paid" })).toBeVisible();

  const [order] = await Promise.all([
    mailbox.waitForEvent("popup"),
    letter.getByRole("link", { name: "View your order" }).click(),
  ]);
  await expect(order.getByText("Payment processed").first()).toBeVisible();
  await expect(order.getByText("Ada Lovelace").first()).toBeVisible();

  await shop.merchant("orders", "ship", orderId);
  await expect(
    mailbox.getByRole("button", { name: `Your order ${short} is on its way` }),
  ).toBeVisible();
  await expect(letter.getByRole("heading", { name: "Your order is paid" })).toBeVisible();
  await mailbox.getByLabel("Text").check();
  await expect(mailbox.getByText(`/order?orderId=${orderId}#key=`)).toBeVisible();
});

test("the mailbox fits a phone, its dial makes letters fail, and it can be emptied", async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await placePaidOrder(shop);
  await page.goto(`${shop.lenderUrl}/mailbox`);
  await expect(page.getByRole("button", { name: /^Your order/ }).first()).toBeVisible();
  await expectNoHorizontalScrolling(page);
  await page
    .getByLabel("Faults, for one minute")
    .selectOption({ label: "Letters are refused for good (550)" });
  await expect
    .poll(async () => (await (await fetch(`${shop.lenderUrl}/mailbox/letters`)).json()).fault)
    .toBe("refuse");
  await page.getByLabel("Faults, for one minute").selectOption("none");
  await page.getByRole("button", { name: "Empty the mailbox" }).click();
  await expect(page.getByText("No letter has come yet.")).toBeVisible();
});
