import { adminOrderSchema } from "@keepsats/protocol";
import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { type Admin, expect, test } from "./fixtures/admin.ts";
import { placePaidOrder, placeUnpaidOrder } from "./fixtures/orders.ts";
import {
  expectFitAndAccessible,
  expectNoViolations,
  expectUncovered,
} from "./fixtures/page-checks.ts";
import type { Shop } from "./fixtures/shop.ts";

/** Places an order of a customer. Returns its id. */
async function placeOrder(shop: Shop, name: string): Promise<string> {
  return (await placeUnpaidOrder(shop, "moka-pot", { customer_name: name })).id;
}

/** Opens a paid order in the admin. Returns the order's id. */
async function openPaidOrder(page: Page, admin: Admin, shop: Shop): Promise<string> {
  const { id: orderId } = await placePaidOrder(shop);
  await admin.open(page, `/orders/${orderId}`);
  await expect(page.getByText("To ship", { exact: true })).toBeVisible();
  return orderId;
}

test("several paid orders are shipped at once with tracking, and their packing slips are printed", async ({
  page,
  admin,
  shop,
  console,
  context,
}) => {
  console.expect(/status of 409/);
  const ids = [(await placePaidOrder(shop)).id, (await placePaidOrder(shop)).id];
  await admin.open(page, "/orders?status=PaymentProcessed");
  for (const id of ids)
    await page
      .getByRole("row", { name: id.slice(0, 8) })
      .getByRole("checkbox")
      .check();

  const [slips] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Print packing slips" }).click(),
  ]);
  await expect(slips.getByRole("heading", { name: /Packing slip/ })).toHaveCount(2);
  await slips.emulateMedia({ media: "print" });
  await expect(slips.getByRole("button", { name: "Print" })).toBeHidden();
  const pdf = (await slips.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g), "each order has a page").toHaveLength(2);
  await slips.close();

  await page.getByRole("button", { name: "Ship 2 orders" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Carrier for all").fill("DHL");
  const numbers = dialog.getByLabel(/^Tracking number of/);
  await numbers.first().evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "111\n222\n");
    field.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await expect(numbers.nth(1)).toHaveValue("222");
  await expectNoViolations(page);
  const [overtaken = ""] = ids;
  await admin.call(`orders/${overtaken}/transitions`, { to: "Shipped", carrier: "UPS" });
  await dialog.getByRole("button", { name: "Ship" }).click();
  await expect(dialog.getByRole("alert")).toContainText("1 order shipped, 1 not");
  await expect(dialog.getByText("Shipped", { exact: true })).toBeVisible();
  await expect(dialog.getByText(/^Shipped by .+ a moment ago$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  const shipped = JSON.stringify(await admin.call(`orders/${ids[1]}`));
  expect(shipped).toMatch(/"carrier":"DHL","tracking_number":"(111|222)"/);
  expect(JSON.stringify(await admin.call(`orders/${overtaken}`))).toContain('"carrier":"UPS"');
  for (const id of ids)
    await expect(page.getByRole("row", { name: id.slice(0, 8) })).toContainText(
      "no longer in this list",
    );
  await page.getByRole("button", { name: /^Shipped/ }).click();
  for (const id of ids)
    await expect(page.getByRole("row", { name: id.slice(0, 8) })).toContainText("Shipped");
});

test("several orders are delivered or cancelled at once, each with its result", async ({
  page,
  admin,
  shop,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: admin.url });
  const name = `Bulk ${crypto.randomUUID().slice(0, 6)}`;
  const pending = [await placeOrder(shop, name), await placeOrder(shop, name)];
  const { id: paid } = await placePaidOrder(shop);
  await admin.call(`orders/${paid}/transitions`, { to: "Shipped" });
  const dialog = page.getByRole("dialog");
  const row = (id: string) => page.getByRole("row", { name: id.slice(0, 8) });

  await test.step("an address is copied", async () => {
    await admin.open(page, `/orders/${paid}`);
    await page.getByRole("button", { name: "Copy address" }).click();
    await expect(page.getByText("Address copied")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      "\n12 St James's Square\nLondon",
    );
  });
  await test.step("a shipped order is marked as delivered", async () => {
    await page.goto(`${admin.url}/orders?q=${paid.slice(0, 8)}`);
    await row(paid).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Mark 1 order as delivered" }).click();
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Mark as delivered" }).click();
    await expect(page.getByText("1 order delivered")).toBeVisible();
    await expect(row(paid)).toContainText("Delivered");
  });
  await test.step("pending orders are cancelled with one reason and one text", async () => {
    await page.getByRole("searchbox").fill(name);
    await page.getByRole("button", { name: "Select all 2 orders" }).click();
    await page.getByRole("button", { name: "Cancel 2 orders" }).click();
    await dialog.getByLabel("Reason, for staff only").fill("no stock");
    await dialog.getByLabel("Text for the customers").fill("Sold out, sorry.");
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Cancel the orders" }).click();
    await expect(page.getByText("2 orders cancelled")).toBeVisible();
    for (const id of pending) {
      await expect(row(id)).toContainText("Cancelled");
      const order = JSON.stringify(await admin.call(`orders/${id}`));
      expect(order).toContain('"merchant_message":"Sold out, sorry."');
      expect(order).toContain('"reason":"no stock"');
    }
  });
});

test("an order is corrected, noted, shipped with tracking, corrected again and delivered", async ({
  page,
  admin,
  shop,
  console,
}) => {
  console.expect(/ERR_FAILED/);
  const orderId = await openPaidOrder(page, admin, shop);
  const dialog = page.getByRole("dialog");

  await test.step("the address is corrected by the rules of the checkout", async () => {
    await page.getByRole("button", { name: "Correct address…" }).click();
    await dialog.getByLabel("City").fill(" ");
    await dialog.getByRole("button", { name: "Save address" }).click();
    await expect(dialog.getByText("City is required")).toBeVisible();
    await dialog.getByLabel("City").fill("Oxford");
    await dialog.getByRole("button", { name: "Save address" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/Oxford, Greater London/).filter({ visible: true })).toBeVisible();
  });
  await test.step("a note is added to the history", async () => {
    await page.getByLabel("Note, for staff only").fill("Wrap as a gift");
    await page.getByRole("link", { name: "Items" }).click();
    await expect(page.getByRole("heading", { name: "Items" })).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel("Note, for staff only")).toHaveValue("Wrap as a gift");
    await page.getByRole("button", { name: "Add note" }).click();
    await expect(page.getByRole("region", { name: "History" })).toContainText("Wrap as a gift");
    await expect(page.getByLabel("Note, for staff only")).toHaveValue("");
  });
  await test.step("a note that could not be saved stays in its field", async () => {
    const history = page.getByRole("region", { name: "History" });
    const note = page.getByLabel("Note, for staff only");
    await page.route("**/notes", (route) => route.abort());
    await note.fill("Call before");
    await page.getByRole("button", { name: "Add note" }).click();
    await expect(page.getByRole("region", { name: "New note" }).getByRole("alert")).toContainText(
      "The shop could not be reached.",
    );
    await page.unroute("**/notes");
    await page.getByRole("link", { name: "Items" }).click();
    await expect(page.getByRole("heading", { name: "Items" })).toBeVisible();
    await page.goBack();
    await expect(note).toHaveValue("Call before");
    await page.getByRole("button", { name: "Add note" }).click();
    await expect(history).toContainText("Note by OwnerCall before");
    await expect(history.getByText("Call before")).toHaveCount(1);
  });
  await test.step("it ships with tracking, and the email to the customer is listed", async () => {
    await page.getByRole("button", { name: "Ship…" }).click();
    await dialog.getByLabel("Carrier").fill("DHL");
    await dialog.getByLabel("Tracking number").fill("123");
    await dialog.getByLabel("Tracking link").fill("dhl.example/123");
    await dialog.getByRole("button", { name: "Ship anyway" }).click();
    await expect(dialog.getByText("Enter an address that starts with https://")).toBeVisible();
    await expectUncovered(dialog.getByText("Nothing was saved. Please fix: Tracking link."));
    await dialog.getByLabel("Tracking link").clear();
    await page.goForward();
    await page.getByRole("button", { name: "Stay" }).click();
    await dialog.getByRole("button", { name: "Ship anyway" }).click();
    await expect(page.getByRole("region", { name: "History" })).toContainText("Shipped by Owner");
    await expect(page.getByText("DHL, 123", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "tracking-id=123" })).toBeVisible();
    await expect(page.getByText("Email to the customer: shipped")).toBeVisible();
  });
  await test.step("an email is resent", async () => {
    const again = page.getByRole("button", { name: "Resend: Email to the customer: shipped" });
    await again.click();
    await expect(page.getByText("Delivery queued")).toBeVisible();
    await expect(again).toBeVisible();
  });
  await test.step("the tracking is corrected, and the order is delivered", async () => {
    await page.getByRole("button", { name: "Correct shipment…" }).click();
    await expect(dialog.getByLabel("Carrier")).toHaveValue("DHL");
    await dialog.getByLabel("Tracking number").fill("456");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("DHL, 456", { exact: true })).toBeVisible();
  });
  await test.step("a colleague's correction while the form is open is kept", async () => {
    await page.getByRole("button", { name: "Correct shipment…" }).click();
    await dialog.getByLabel("Carrier").fill("UPS");
    const path = `${admin.url}/api/admin/orders/${orderId}`;
    const data = { tracking_number: "789" };
    expect(
      (await page.request.patch(path, { headers: { origin: admin.url }, data })).status(),
    ).toBe(200);
    await expect(page.getByText("DHL, 789", { exact: true })).toBeAttached();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("UPS, 789", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Mark as delivered…" }).click();
    await dialog.getByRole("button", { name: "Mark as delivered" }).click();
    await expect(page.getByRole("region", { name: "History" })).toContainText("Delivered by Owner");
  });
  await test.step("the order is accessible and fits at every size and colour scheme", () =>
    expectFitAndAccessible(page, {
      check: () => expect(page.getByRole("region", { name: "History" })).toBeVisible(),
    }));
});

test("a late change is answered with the current status and keeps the input", async ({
  page,
  admin,
  shop,
  console,
}) => {
  console.expect(/status of 409/);
  const orderId = await openPaidOrder(page, admin, shop);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Ship…" }).click();
  await dialog.getByLabel("Carrier").fill("DHL");
  await admin.call(`orders/${orderId}/transitions`, { to: "Shipped", carrier: "UPS" });
  await expect(dialog.getByRole("status")).toContainText(/^Shipped by .+ a moment ago/);
  await dialog.getByRole("button", { name: "Ship", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText(/Shipped by .+ a moment ago/);
  await expect(dialog.getByLabel("Carrier")).toHaveValue("DHL");
});

test("a concurrently corrected address is not overwritten until staff choose a version", async ({
  page,
  admin,
  shop,
  console,
}) => {
  console.expect(/status of 409/);
  const orderId = await openPaidOrder(page, admin, shop);
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save address" });
  const address = {
    street: "1 Road",
    city: "Rome",
    state: "RM",
    postal_code: "1",
    country: "Italy",
  };
  const correct = (city: string) =>
    page.request.patch(`${admin.url}/api/admin/orders/${orderId}`, {
      headers: { origin: admin.url },
      data: { shipping_address: { ...address, city } },
    });
  await page.getByRole("button", { name: "Correct address…" }).click();
  await dialog.getByLabel("City").fill("Oxford");
  let isFaster = true;
  await page.route(`**/orders/${orderId}`, async (route) => {
    if (isFaster && route.request().method() === "PATCH") {
      isFaster = false;
      await correct("Paris");
    }
    await route.continue();
  });
  await save.click();
  await expectUncovered(dialog.getByText("Shipping address is now 1 Road, Paris, RM, 1, Italy"));
  await save.click();
  await dialog.getByRole("button", { name: "Take theirs" }).click();
  await expect(dialog.getByLabel("City")).toHaveValue("Paris");
  await dialog.getByLabel("City").fill("Oxford");
  await correct("Rome");
  await expect(page.getByText("Rome, RM 1").first()).toBeAttached();
  await save.click();
  await dialog.getByRole("button", { name: "Keep mine" }).click();
  await save.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Oxford, RM 1").filter({ visible: true })).toBeVisible();
});

test("shipping warns if the payment is disputed or the address of the paid order was changed", async ({
  page,
  admin,
  shop,
}) => {
  const [single, first, second] = [
    (await placePaidOrder(shop)).id,
    (await placePaidOrder(shop)).id,
    (await placePaidOrder(shop)).id,
  ];
  const address = {
    street: "1 Road",
    city: "Rome",
    state: "RM",
    postal_code: "1",
    country: "Italy",
  };
  const dialog = page.getByRole("dialog");
  const warning = "The shipping address was changed after the payment, by Owner. Check it.";

  await test.step("a single order", async () => {
    const dispute = {
      id: "dispute",
      loan_id: "loan",
      order_id: single,
      order_status: "PaymentProcessed",
      kind: "disputed" as const,
      detail: "DisputeStarted",
      open_amount: 0,
      refunded_amount: 0,
      balance: {
        currency: "USD",
        refundable: 0,
        refund_due: 0,
        missing: 0,
        unknown_amount: false,
      },
      opened_at: 0,
      resolution: null,
    };
    await page.route(`**/api/admin/orders/${single}`, async (route) => {
      if (route.request().method() !== "GET") return route.continue();
      const order = adminOrderSchema.parse(await (await route.fetch()).json());
      return route.fulfill({
        json: z.encode(adminOrderSchema, { ...order, payment_issues: [dispute] }),
      });
    });
    await admin.open(page, `/orders/${single}`);
    await page.getByRole("button", { name: "Ship…" }).click();
    await expect(dialog.getByText(/^The loan provider reports a dispute/)).toBeVisible();
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Ship anyway" }).click();
    await expect(page.getByRole("region", { name: "History" })).toContainText("Shipped by Owner");
  });
  await test.step("several orders: one ships immediately, the other after a confirmation", async () => {
    const changed = await page.request.patch(`${admin.url}/api/admin/orders/${first}`, {
      headers: { origin: admin.url },
      data: { shipping_address: address },
    });
    expect(changed.status()).toBe(200);
    await page.goto(`${admin.url}/orders/${first}`);
    await page.getByRole("button", { name: "Ship…" }).click();
    await expect(dialog.getByText(warning)).toBeVisible();
    await page.goto(`${admin.url}/orders?status=PaymentProcessed`);
    for (const id of [first, second])
      await page
        .getByRole("row", { name: id.slice(0, 8) })
        .getByRole("checkbox")
        .check();
    await page.getByRole("button", { name: "Ship 2 orders" }).click();
    await dialog.getByRole("button", { name: "Ship", exact: true }).click();
    await expect(dialog.getByRole("alert")).toContainText("1 order shipped, 1 not");
    await expect(dialog.getByText(`Not shipped yet: ${warning}`)).toBeVisible();
    await dialog.getByRole("button", { name: "Ship 1 order anyway" }).click();
    await expect(dialog).toBeHidden();
    for (const id of [first, second])
      expect(JSON.stringify(await admin.call(`orders/${id}`))).toContain('"status":"Shipped"');
  });
});

test("a paid order is cancelled with a reason and a text, and its refund is due", async ({
  page,
  admin,
  shop,
}) => {
  await openPaidOrder(page, admin, shop);
  const dialog = page.getByRole("dialog");
  const money = page.getByRole("region", { name: "Money" });
  await expect(money).toContainText("Received$45.00Kept$45.00");

  await page.getByRole("button", { name: "Cancel…" }).click();
  await expect(dialog).toHaveAccessibleDescription(/^To refund: \$45\.00\./);
  await dialog.getByLabel("Reason, for staff only").fill("broken in the stock");
  await dialog.getByLabel("Text for the customer").fill("We are sorry.");
  await dialog.getByRole("button", { name: "Cancel the order" }).click();
  await expect(page.getByRole("region", { name: "History" })).toContainText("We are sorry.");
  await expect(page.getByText(/^Refund due: \$/)).toBeVisible();
  await expect(page.getByText(/payment issue/)).toBeHidden();
  await expect(money).toContainText("Refund due$45.00");
});

test("a cancelled order is refunded again after a refund did not arrive, and erased", async ({
  page,
  admin,
  shop,
}) => {
  const orderId = await openPaidOrder(page, admin, shop);
  const dialog = page.getByRole("dialog");
  const money = page.getByRole("region", { name: "Money" });
  const journal = money.getByRole("table", { name: "Journal" });
  await admin.call(`orders/${orderId}/transitions`, { to: "Cancelled" });
  await expect(money).toContainText("Refund due$45.00");

  await page.getByRole("button", { name: "Refund…" }).click();
  await expect(dialog.getByLabel("Amount in dollars")).toHaveValue("45.00");
  await dialog.getByLabel("Amount in dollars").fill("nothing");
  await dialog.getByRole("button", { name: "Record refund" }).click();
  await expect(dialog.getByText("Enter an amount such as 12.50")).toBeVisible();
  await dialog.getByLabel("Amount in dollars").fill("45");
  await dialog.getByRole("button", { name: "Record refund" }).click();
  await expect(money).toContainText("Refunded$45.00");

  await money.getByRole("button", { name: "Refund did not arrive…" }).click();
  await dialog.getByRole("button", { name: "Reverse the refund" }).click();
  await expect(dialog.getByText("Enter a reason")).toBeVisible();
  await dialog.getByLabel("Reason, for staff only").fill("the account is closed");
  await dialog.getByRole("button", { name: "Reverse the refund" }).click();
  await expect(journal.getByRole("rowheader").first()).toContainText("the account is closed");
  await expect(money).toContainText("Refund due$45.00");
  await expect(money.getByRole("button")).toHaveCount(0);
  await expectFitAndAccessible(page, { check: () => expect(journal).toBeVisible() });

  await page.getByRole("button", { name: "Refund…" }).click();
  await dialog.getByRole("button", { name: "Record refund" }).click();
  await expect(money).toContainText("Refunded$45.00");
  await page.getByRole("button", { name: "Erase personal data…" }).click();
  await dialog.getByRole("button", { name: "Erase", exact: true }).click();
  await expect(page.getByText(/Name, email and addresses were erased on/)).toBeVisible();
});

test("a screen that cannot be loaded shows an error and tries again", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/status of 500|status of 404/);
  await admin.open(page, "/payments");
  await page.route("**/api/admin/orders**", (route) => route.fulfill({ status: 500 }));
  await page.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
  await expect(page.getByRole("alert")).toContainText("The orders could not be loaded.");
  await page.unroute("**/api/admin/orders**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The orders could not be loaded.")).toBeHidden();

  await page.goto(`${admin.url}/orders/00000000-0000-4000-8000-000000000000`);
  await expect(page.getByText("This order does not exist.")).toBeVisible();
});

test("a packer ships an order without seeing money, and no other screen opens", async ({
  page,
  admin,
  shop,
}) => {
  const { id } = await placePaidOrder(shop);
  await page.goto(await admin.invite(`Packer ${crypto.randomUUID()}`, "packer"));
  await page.getByRole("button", { name: /^Sign in as / }).click();
  await expect(page.getByRole("heading", { name: "Orders", level: 1 })).toBeVisible();
  const screens = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
  await expect(screens).toHaveText([/^Orders/, "Settings"]);
  await expect(page.getByRole("main")).not.toContainText("$");

  await page.goto(`${admin.url}/orders/${id}`);
  await expect(page.getByRole("region", { name: "Items" })).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText("$");
  await page.getByRole("button", { name: "Ship…" }).click();
  await page.getByRole("button", { name: "Ship", exact: true }).click();
  await expect(page.getByRole("button", { name: "Mark as delivered…" })).toBeVisible();
  await expectFitAndAccessible(page);

  await page.goto(`${admin.url}/payments`);
  await expect(page.getByText("Your role cannot see payments. Ask an owner.")).toBeVisible();
});
