import type { Page } from "@playwright/test";
import { openPlacedOrder } from "./fixtures/orders.ts";
import {
  addToCart,
  customer,
  expect,
  fillCart,
  fillForm,
  fund,
  goToCheckout,
  openPopup,
  test,
} from "./fixtures/test.ts";

const addressMessages = [
  "Street is required",
  "City is required",
  "State is required",
  "Postal code is required",
  "Country is required",
];

test("an empty cart leads back to the shop; the case of the path does not matter", async ({
  page,
}) => {
  await page.goto("/Checkout/?a=1");
  await expect(page).toHaveURL("/checkout?a=1");
  await expect(
    page.getByText("Your cart is empty. Add some items before checking out."),
  ).toBeVisible();
  await page.getByRole("link", { name: "Return to Shop" }).click();
  await expect(page).toHaveURL("/");
});

test("the summary shows lines, subtotal, free shipping and total", async ({ page }) => {
  await fillCart(page, "Enamel Mug", "Enamel Mug", "Oak Lounge Chair");
  await goToCheckout(page);
  const summary = page.getByRole("region", { name: "Order Summary" });
  await expect(summary.getByRole("listitem").nth(0)).toHaveText("2 × Enamel Mug$37.00");
  await expect(summary.getByRole("listitem").nth(1)).toHaveText("1 × Oak Lounge Chair$900.00");
  await expect(summary.getByText("Subtotal").locator("..")).toHaveText("Subtotal$937.00");
  await expect(summary.getByText("Shipping").locator("..")).toHaveText("ShippingFree");
  await expect(summary.getByText("Total", { exact: true }).locator("..")).toHaveText(
    "Total$937.00",
  );
});

test("the steps are Details, Pay and Done, and the page shows the last event and the next step", async ({
  page,
}) => {
  await fillCart(page, "Enamel Mug");
  await goToCheckout(page);
  const current = page
    .getByRole("list", { name: "Steps of the purchase" })
    .locator("[aria-current=step]");
  const complete = page.getByRole("button", { name: "Complete Purchase" });
  await expect(current).toHaveText("1Details");
  await expect(complete).toBeDisabled();
  await expect(complete).toHaveAccessibleDescription(
    "You can do this once the payment window reports success.",
  );
  await fillForm(page);
  await page.getByRole("button", { name: "Place Order" }).click();

  await expect(current).toHaveText("2Pay");
  const payment = page.getByRole("region", { name: "Payment Method" });
  await expect(
    payment.getByText(/^Order #[0-9a-f]{8} is placed\. Now pay for it\.$/),
  ).toBeInViewport();
  await expect(page.getByRole("link", { name: "Edit cart" })).toBeHidden();
  await fund(await openPopup(page));

  await expect(current).toHaveText("3Done");
  await expect(
    payment.getByText(
      /^Order #[0-9a-f]{8}(: the payment window reported success\.|: your payment is in progress\..*| is paid\.) Complete your purchase to follow it\.$/,
    ),
  ).toBeVisible();
  await expect(complete).toBeFocused();
});

test("on a phone the summary is collapsed, and Edit cart scrolls to the cart", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await fillCart(page, "Enamel Mug", "Moka Pot", "Enamel Mug");
  await page.getByRole("link", { name: /^Cart/ }).click();
  const summary = page.getByRole("region", { name: "Order Summary" });
  const fold = summary.getByRole("button", { name: "3 items" });
  await expect(fold).toContainText("$82.00");
  await expect(summary.getByText("2 × Enamel Mug")).toBeHidden();
  await fold.click();
  await expect(fold).toHaveAttribute("aria-expanded", "true");
  await expect(summary.getByText("2 × Enamel Mug")).toBeVisible();
  await summary.getByRole("link", { name: "Edit cart" }).click();
  await expect(page.getByRole("heading", { name: "Your Cart" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Your Cart" })).toBeInViewport();
});

test("on a phone short address fields share a row, and the form of a placed order is collapsed, disabled", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await fillCart(page, "Enamel Mug");
  await goToCheckout(page);
  const rowOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.y;
  await expect(async () => {
    expect(await rowOf("City")).toBe(await rowOf("State"));
    expect(await rowOf("Postal Code")).toBe(await rowOf("Country"));
  }).toPass({ timeout: 5_000 });
  await fillForm(page);
  await page.getByRole("button", { name: "Place Order" }).click();
  const fold = page.getByRole("button", { name: "Your details" });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByLabel("City")).toBeHidden();
  await fold.click();
  await expect(page.getByRole("textbox", { name: "City" })).toHaveValue(customer.City);
  await expect(page.getByRole("textbox", { name: "City" })).toBeDisabled();
});

test("while the payment window is open, the checkout says that it waits for it", async ({
  page,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const waiting = page.getByText("Waiting for the payment window");
  await expect(waiting).toBeHidden();
  const popup = await openPopup(page);
  await expect(waiting).toBeVisible();
  await popup.close();
  await expect(waiting).toBeHidden();
});

test("typed details survive a reload, in this tab only, until the order is placed", async ({
  page,
  context,
}) => {
  await fillCart(page, "Enamel Mug");
  await goToCheckout(page);
  await fillForm(page);
  await page.reload();
  await expect(page.getByText("Your cart is empty.")).toBeVisible();
  const details = (of: Page) => of.evaluate(() => sessionStorage["keepsats-checkout-details"]);
  const other = await context.newPage();
  await other.goto("/");
  expect(await details(other)).toBeUndefined();
  await page.getByRole("link", { name: "Return to Shop" }).click();
  await addToCart(page, "Enamel Mug");
  await goToCheckout(page);
  for (const [label, value] of Object.entries(customer))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  await page.getByRole("button", { name: "Place Order" }).click();
  await expect(page.getByLabel("Full Name")).toBeDisabled();
  await expect(page.getByText("Your order is placed.")).toBeVisible();
  expect(await details(page)).toBeUndefined();
});

test.describe("the form", () => {
  test.beforeEach(async ({ page }) => {
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
  });

  test("on submit shows a red message below each missing field, also of a billing address that differs, and focuses the first one", async ({
    page,
  }) => {
    await expect(page.getByText("Name is required")).toBeHidden();
    await page.getByRole("button", { name: "Place Order" }).click();
    for (const message of ["Name is required", "Email is required", ...addressMessages]) {
      await expect(page.getByText(message)).toHaveCount(1);
      await expect(page.getByText(message)).toHaveCSS("color", "rgb(179, 38, 30)");
    }
    await expect(page.getByLabel("Full Name")).toBeFocused();
    await expect(page.getByLabel("Full Name")).toHaveAccessibleDescription("Name is required");
    const [field, message] = await Promise.all([
      page.getByLabel("City").boundingBox(),
      page.getByText("City is required").boundingBox(),
    ]);
    expect(message?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0));

    await test.step("removes the message of a field when it is edited, and shows others on submit only", async () => {
      await page.getByLabel("Email").pressSequentially("a");
      await expect(page.getByText("Email is required")).toBeHidden();
      await page.getByLabel("City").fill("London");
      await page.getByLabel("City").fill("");
      await page.getByLabel("City").blur();
      await expect(page.getByText("City is required")).toBeHidden();
      await expect(page.getByText("Email is invalid")).toBeHidden();
      await expect(page.getByText("Street is required")).toBeVisible();
      await page.getByRole("button", { name: "Place Order" }).click();
      await expect(page.getByText("City is required")).toBeVisible();
      await expect(page.getByText("Email is invalid")).toBeVisible();
    });

    await page.getByLabel("Billing address same as shipping").click();
    await expect(page.getByText("Billing Address", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Place Order" }).click();
    for (const message of addressMessages) await expect(page.getByText(message)).toHaveCount(2);
  });

  test("asks for customer information and addresses, with autocomplete tokens, so that browsers can fill it in", async ({
    page,
  }) => {
    const labels = (group: string) =>
      page.getByRole("group", { name: group }).locator("label").allInnerTexts();
    expect(await labels("Customer Information")).toEqual(["Full Name", "Email"]);
    expect(await labels("Shipping Address")).toEqual([
      "Street",
      "City",
      "State",
      "Postal Code",
      "Country",
      "Billing address same as shipping",
    ]);
    await page.getByLabel("Billing address same as shipping").click();
    const tokens = await page
      .locator("form input[autocomplete]")
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute("autocomplete")));
    expect(tokens).toEqual([
      "name",
      "email",
      ...["shipping", "billing"].flatMap((kind) =>
        ["address-line1", "address-level2", "address-level1", "postal-code", "country-name"].map(
          (field) => `${kind} ${field}`,
        ),
      ),
    ]);
  });

  test("copies shipping to billing until they differ, and keeps its content while the customer is in the shop", async ({
    page,
  }) => {
    await fillForm(page);
    const same = page.getByLabel("Billing address same as shipping");
    await expect(same).toBeChecked();
    await same.click();
    const billing = (field: string) =>
      page.getByRole("group", { name: "Billing Address" }).getByLabel(field);
    const shipping = (field: string) =>
      page.getByRole("group", { name: "Shipping Address" }).getByLabel(field);
    await expect(billing("City")).toHaveValue("London");
    await billing("City").fill("Paris");
    await shipping("City").fill("Rome");
    await expect(billing("City")).toHaveValue("Paris");
    await same.click();
    await same.click();
    await expect(billing("City")).toHaveValue("Rome");

    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL("/");
    await goToCheckout(page);
    await expect(page.getByLabel("Full Name")).toHaveValue(customer["Full Name"]);
    await expect(shipping("Country")).toHaveValue(customer.Country);
    await expect(billing("City")).toHaveValue("Rome");
  });
});
