import { randomUUID } from "node:crypto";
import { placeOrder as placeOrderByApi } from "../test/harness/customer.ts";
import { expect, test } from "./fixtures/admin.ts";
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

test.use({ reducedMotion: "no-preference" });

test("a day in the shop: staff are invited, an order is placed, paid, packed and shipped, and an item sells out", async ({
  page: owner,
  admin,
  shop,
  browser,
  browserName,
}) => {
  // The frame of an email blocks scripts, and the order of a sold-out item is refused.
  const staffContext = await browser.newContext();
  const customerContext = await browser.newContext({ baseURL: shop.url });
  const consoles = [staffContext, customerContext].map(watchConsole);
  consoles[1]?.expect(
    /(status of|answered) 409|^Failed to create the order|^Blocked script execution in/,
  );
  const [staff, customer] = [await staffContext.newPage(), await customerContext.newPage()];
  const stock = staff.getByRole("button", { name: /^Stock of Enamel Mug/ });
  const setStock = async (pieces: string) => {
    await stock.click();
    await fillIn(staff.getByRole("textbox", { name: "Stock of Enamel Mug" }), pieces);
    await staff.keyboard.press("Enter");
  };

  await test.step("the owner invites staff, who sign in with the link and add a passkey", async () => {
    const name = `Zoe ${randomUUID()}`;
    await admin.open(owner, "/settings/staff");
    await owner.getByRole("button", { name: "Invite staff" }).click();
    await fillIn(owner.getByLabel("Name", { exact: true }), name);
    await owner.getByRole("button", { name: "Invite", exact: true }).click();
    const link = await owner.getByLabel(`Sign-in link for ${name}`, { exact: true }).inputValue();
    // Only Chromium has an authenticator for tests.
    const hasAuthenticator = browserName === "chromium";
    if (hasAuthenticator) await addAuthenticator(staff);
    await admin.enter(staff, link);
    if (!hasAuthenticator) return;
    await staff.getByRole("button", { name: "Add a passkey" }).click();
    await expect(staff.getByText("Passkey added")).toBeVisible();
  });

  const number =
    await test.step("an order appears on the open list of orders, and is marked as paid", async () => {
      // In an empty table a new order is shown immediately.
      await placeOrderByApi(shop);
      await staff.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
      await expect(staff.getByText("Live", { exact: true })).toBeVisible();
      await expect(staff.getByRole("heading", { name: "Orders", level: 1 })).toBeVisible();
      await expect(staff.getByRole("table")).toBeVisible();
      await placeOrder(customer, "Enamel Mug");
      await staff.getByRole("button", { name: "1 new order" }).click();
      const row = staff.locator("tbody tr").first();
      await expect(row).toContainText("Pending");
      await fund(await openPopup(customer));
      await customer.getByRole("button", { name: "Complete Purchase" }).click();
      await expect(customer.getByText("Your payment has been processed")).toBeVisible();
      await expect(row).toContainText("To ship");
      const shown = await customer.getByText(/^Number K-\d+$/).innerText();
      return shown.replace("Number ", "");
    });

  await test.step("it is packed with its packing slip", async () => {
    await staff.getByRole("link", { name: number }).click();
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
    await expect(staff.getByRole("heading", { name: `Order ${number}` })).toBeVisible();
    if (browserName === "firefox") return;
    await staff.emulateMedia({ media: "print" });
    await expect(staff.getByRole("heading")).toHaveText([`Packing slip ${number}`]);
    await expect(staff.getByRole("navigation")).toBeHidden();
    const pdf = (await staff.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g), "one page").toHaveLength(1);
    await staff.emulateMedia({ media: null });
    await expect(staff.getByRole("heading", { name: "Packing slip" })).toBeHidden();
  });

  await test.step("it ships: the customer's page shows it immediately, and an email is sent", async () => {
    const dialog = staff.getByRole("dialog");
    await staff.getByRole("button", { name: "Ship…" }).click();
    await fillIn(dialog.getByLabel("Carrier"), "DHL");
    await fillIn(dialog.getByLabel("Tracking number"), "JD0123");
    await dialog.getByRole("button", { name: "Ship", exact: true }).click();
    await expect(customer.getByText("Your order has been shipped!")).toBeVisible();
    await expect(customer.getByRole("region", { name: "Shipment" })).toContainText("JD0123");
    const mailbox = await customerContext.newPage();
    await mailbox.goto(`${shop.sandboxUrl}/mailbox`);
    await mailbox.getByRole("link", { name: `Your order ${number} is on its way` }).click();
    await expect(mailbox.frameLocator("#html").getByText("JD0123")).toBeVisible();
    await mailbox.close();
  });

  await test.step("an item sells out in the admin, which an open shop reports at the checkout", async () => {
    await fillCart(customer, "Enamel Mug");
    await goToCheckout(customer);
    await fillForm(customer);
    await staff.getByRole("navigation").getByRole("link", { name: "Items" }).click();
    await setStock("0");
    await expect(stock).toContainText("sold out");
    await customer.getByRole("button", { name: "Place Order" }).click();
    await customer.getByRole("button", { name: "Change cart" }).click();
    await expect(
      customer.getByRole("region", { name: "Your Cart" }).getByText("Sold out"),
    ).toBeVisible();
    await expect(customer.getByRole("button", { name: "Add to Cart Enamel Mug" })).toBeDisabled();
  });

  await test.step("it is restocked and bought, and the admin counts the piece", async () => {
    await setStock("5");
    await expect(stock).toContainText("5");
    await goToCheckout(customer);
    await customer.getByRole("button", { name: "Place Order" }).click();
    await expect(customer.getByText("Your order is placed.")).toBeVisible();
    await expect(stock).toContainText("4");
  });

  // The shop is shared with other tests.
  await admin.call("items/import", { items: [{ id: "enamel-mug", stock: null }] });
  await Promise.all([staffContext.close(), customerContext.close()]);
  for (const one of consoles) one.expectNoErrors();
});
