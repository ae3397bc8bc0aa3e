import { randomUUID } from "node:crypto";
import { placeOrder as placeOrderByApi } from "../test/harness/customer.ts";
import { expect, test } from "./fixtures/desk.ts";
import { addAuthenticator } from "./fixtures/passkeys.ts";
import {
  fillCart,
  fillForm,
  fillIn,
  fund,
  goToCheckout,
  openPopup,
  placeOrder,
  watchConsole,
} from "./fixtures/test.ts";

test("a day: somebody is invited, an order comes in, is paid, packed and shipped, and an item sells out", async ({
  page: owner,
  desk,
  shop,
  browser,
  browserName,
}) => {
  // The frame of a letter runs no script; the order of a sold-out item is refused.
  const staffContext = await browser.newContext();
  const shopperContext = await browser.newContext({ baseURL: shop.url });
  const consoles = [staffContext, shopperContext].map(watchConsole);
  consoles[1]?.expect(
    /(status of|answered) 409|^Failed to create the order|^Blocked script execution in/,
  );
  const [staff, shopper] = [await staffContext.newPage(), await shopperContext.newPage()];
  const stock = staff.getByRole("button", { name: /^Stock of Enamel Mug/ });
  const setStock = async (pieces: string) => {
    await stock.click();
    await fillIn(staff.getByRole("textbox", { name: "Stock of Enamel Mug" }), pieces);
    await staff.keyboard.press("Enter");
  };

  await test.step("the owner invites somebody, who comes in by the link and adds a passkey", async () => {
    const name = `Zoe ${randomUUID()}`;
    await desk.open(owner, "/settings/staff");
    await owner.getByRole("button", { name: "Invite somebody" }).click();
    await owner.getByLabel("Name", { exact: true }).fill(name);
    await owner.getByRole("button", { name: "Invite", exact: true }).click();
    const link = await owner.getByLabel(`Sign-in link for ${name}`, { exact: true }).inputValue();
    // Only Chromium has an authenticator for tests.
    const hasAuthenticator = browserName === "chromium";
    if (hasAuthenticator) await addAuthenticator(staff);
    await desk.enter(staff, link);
    if (!hasAuthenticator) return;
    await staff.getByRole("button", { name: "Add a passkey" }).click();
    await expect(staff.getByText("Passkey added")).toBeVisible();
  });

  const orderId =
    await test.step("an order appears while one looks at the orders, and becomes paid there", async () => {
      // In an empty table a new order would not have to wait above it.
      await placeOrderByApi(shop);
      await staff.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
      await expect(staff.getByText("Live", { exact: true })).toBeVisible();
      await expect(staff.getByRole("heading", { name: "Orders", level: 1 })).toBeVisible();
      await expect(staff.getByRole("table")).toBeVisible();
      await placeOrder(shopper, "Enamel Mug");
      await staff.getByRole("button", { name: "1 new order" }).click();
      const row = staff.locator("tbody tr").first();
      await expect(row).toContainText("Pending");
      await fund(await openPopup(shopper));
      await shopper.getByRole("button", { name: "Complete Purchase" }).click();
      await expect(shopper.getByText("Your payment has been processed")).toBeVisible();
      await expect(row).toContainText("To ship");
      return new URL(shopper.url()).searchParams.get("orderId") ?? "";
    });
  const short = orderId.slice(0, 8);

  await test.step("it is packed by its packing slip", async () => {
    await staff.getByRole("link", { name: short }).click();
    const [slip] = await Promise.all([
      staff.waitForEvent("popup"),
      staff.getByRole("link", { name: "Packing slip" }).click(),
    ]);
    await expect(slip.getByRole("heading", { name: /Packing slip/ })).toBeVisible();
    await expect(slip.getByText("Enamel Mug")).toBeVisible();
    await expect(slip.getByText(shop.url, { exact: true })).toBeVisible();
    await expect(slip.getByText("12 St James's Square")).toBeVisible();
    await slip.close();

    // Ctrl+P prints only the slip. Firefox ESR 153 cannot emulate print on the screen.
    await expect(staff.getByRole("heading", { name: `Order ${short}` })).toBeVisible();
    if (browserName === "firefox") return;
    await staff.emulateMedia({ media: "print" });
    await expect(staff.getByRole("heading")).toHaveText([`Packing slip ${short}`]);
    await expect(staff.getByRole("navigation")).toBeHidden();
    const pdf = (await staff.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g), "one page").toHaveLength(1);
    await staff.emulateMedia({ media: null });
    await expect(staff.getByRole("heading", { name: "Packing slip" })).toBeHidden();
  });

  await test.step("it ships, which the shopper's page shows at once and a letter tells", async () => {
    const dialog = staff.getByRole("dialog");
    await staff.getByRole("button", { name: "Ship…" }).click();
    await dialog.getByLabel("Carrier").fill("DHL");
    await dialog.getByLabel("Tracking number").fill("JD0123");
    await dialog.getByRole("button", { name: "Ship", exact: true }).click();
    await expect(shopper.getByText("Your order has been shipped!")).toBeVisible();
    await expect(shopper.getByRole("region", { name: "Shipment" })).toContainText("JD0123");
    const mailbox = await shopperContext.newPage();
    await mailbox.goto(`${shop.lenderUrl}/mailbox`);
    await mailbox.getByRole("button", { name: `Your order ${short} is on its way` }).click();
    await expect(mailbox.frameLocator("#html").getByText("JD0123")).toBeVisible();
    await mailbox.close();
  });

  await test.step("an item sells out at the desk, which a shop that was open before says when it is ordered", async () => {
    await fillCart(shopper, "Enamel Mug");
    await goToCheckout(shopper);
    await fillForm(shopper);
    await staff.getByRole("navigation").getByRole("link", { name: "Items" }).click();
    await setStock("0");
    await expect(stock).toContainText("sold out");
    await shopper.getByRole("button", { name: "Place Order" }).click();
    await shopper.getByRole("button", { name: "Change cart" }).click();
    await expect(
      shopper.getByRole("region", { name: "Your Cart" }).getByText("Sold out"),
    ).toBeVisible();
    await expect(shopper.getByRole("button", { name: "Add to Cart Enamel Mug" })).toBeDisabled();
  });

  await test.step("it comes in again, is bought, and the desk counts the piece", async () => {
    await setStock("5");
    await expect(stock).toContainText("5");
    await goToCheckout(shopper);
    await shopper.getByRole("button", { name: "Place Order" }).click();
    await expect(shopper.getByText("Your order is placed.")).toBeVisible();
    await expect(stock).toContainText("4");
  });

  // The shop is shared with other tests.
  await desk.call("items/import", { items: [{ id: "enamel-mug", stock: null }] });
  await Promise.all([staffContext.close(), shopperContext.close()]);
  for (const one of consoles) one.expectNoSurprises();
});
