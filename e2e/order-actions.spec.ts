import { openStream } from "./fixtures/order-stream.ts";
import { payOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import { openNewOrder, ordersButton, panel, placeAndOpen } from "./fixtures/saved-orders.ts";
import { expect, fund, keepToasts, openPopup, test } from "./fixtures/test.ts";

const orderLink = "/order?orderId=00000000-0000-4000-8000-000000000000#key=k";

test.describe("on the order page", () => {
  test("an unpaid order is paid, and its items leave the cart", async ({ page }) => {
    await placeAndOpen(page);
    await expect(page.getByRole("heading", { name: "This order is not paid yet" })).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toHaveText("1 item");
    await fund(await openPopup(page));
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeHidden();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
  });

  test("an unpaid order is cancelled after a confirmation, and the page shows it beside the toast", async ({
    page,
  }) => {
    await placeAndOpen(page);
    await keepToasts(page);
    await page.getByRole("button", { name: "Cancel order" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel this order?" });
    await dialog.getByRole("button", { name: "Keep order" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Cancel order" })).toBeFocused();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByText("Order cancelled", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Status" })).toContainText(
      "Your order has been cancelled.",
    );
    await expect(page.getByRole("heading", { name: /^Order #/ })).toBeFocused();
    for (const name of ["Cancel order", "Correct address", "Finance with Bitcoin"])
      await expect(page.getByRole("button", { name })).toBeHidden();
    await page.getByRole("link", { name: /^Cart/ }).click();
    await expect(page.getByRole("button", { name: "Place Order" })).toBeEnabled();
    await ordersButton(page).click();
    await expect(panel(page).getByRole("listitem")).toContainText("Cancelled");
  });

  test("a refused cancellation is explained in the dialog, and can be retried", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to (?:change|load)/);
    await openNewOrder(page, shop);
    await page.getByRole("button", { name: "Cancel order" }).click();
    const dialog = page.getByRole("dialog");
    await page.route("**/cancellation", (route) =>
      route.fulfill({ status: 503, json: { title: "", status: 503, code: "unavailable" } }),
    );
    await dialog.getByRole("button", { name: "Cancel order" }).click();
    await expect(dialog.getByRole("alert")).toContainText("The lender cannot be reached right now");
    await page.unroute("**/cancellation");
    await dialog.getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByText("Your order has been cancelled.")).toBeVisible();
  });

  test("a refused cancellation is explained also if the page shows the loan before the answer arrives", async ({
    page,
    console,
  }) => {
    console.expect(/Failed to (?:change|load)/);
    const { show } = await openStream(page, orderLink);
    show({ has_key: true });
    await page.route("**/cancellation", async (route) => {
      show({ has_key: true, status: "PaymentProcessing" });
      await expect(page.getByText("Your payment is being processed.")).toBeVisible();
      await route.fulfill({
        status: 409,
        json: { title: "", status: 409, code: "loan_active" },
      });
    });
    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText(
      "A loan for this order is in progress.",
    );
  });

  test("a cancellation that fails after its dialog was closed opens the dialog again", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to (?:change|load)/);
    await openNewOrder(page, shop);
    let answer = () => {};
    await page.route("**/cancellation", async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ status: 503, json: { title: "", status: 503, code: "unavailable" } });
    });
    await page.getByRole("button", { name: "Cancel order" }).click();
    const [request] = await Promise.all([
      page.waitForRequest("**/cancellation"),
      page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click(),
    ]);
    expect(request.headers()["order-key"]).toMatch(/^[\w-]{22}$/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    answer();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText(
      "The lender cannot be reached",
    );
  });

  test("tracking and the shop's message are shown, and only a URL becomes a link", async ({
    page,
  }) => {
    const { show } = await openStream(page, orderLink);
    const shipped = { status: "Shipped", carrier: "DHL <b>", tracking_number: "JD0001" };
    show({ ...shipped, tracking_url: "https://carrier.example/JD0001" });
    const shipment = page.getByRole("region", { name: "Shipment" });
    await expect(shipment).toContainText("DHL <b>");
    await expect(shipment).toContainText("JD0001");
    const link = shipment.getByRole("link", { name: "Track the parcel" });
    await expect(link).toHaveAttribute("href", "https://carrier.example/JD0001");
    await expect(link).toHaveAttribute("rel", /noopener/);
    const merchant_message = "Sorry,\nit is <late>.";
    show({ ...shipped, tracking_url: "javascript:alert(1)", merchant_message });
    await expect(link).toBeHidden();
    await expect(page.getByRole("region", { name: "A message from the shop" })).toContainText(
      "it is <late>.",
    );
  });
});

test("an unpaid order is printed as an order, a paid one as a receipt: black on white, without buttons, also in the dark scheme", async ({
  page,
  shop,
}) => {
  await page.addInitScript(() => {
    window.print = () => Object.assign(window, { printed: true });
  });
  await page.emulateMedia({ colorScheme: "dark" });
  const order = await openNewOrder(page, shop);
  await expect(page.getByRole("button", { name: "Print order" })).toBeVisible();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByText("Keepsats · Order", { exact: true })).toBeVisible();
  await expect(page.getByText("Paid with a Bitcoin-backed loan")).toBeHidden();
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });

  await payOrder(shop, order);
  await expect(page.getByText("Your payment has been processed")).toBeVisible();
  await page.getByRole("button", { name: "Print receipt" }).click();
  expect(await page.evaluate(() => Reflect.get(window, "printed"))).toBe(true);

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const receipt = page.getByRole("article", {
    name: `Receipt ${order.number.replace("K-", "R-")}`,
  });
  for (const text of [
    "Paid with a Bitcoin-backed loan",
    `order ${order.number}`,
    "1 × Enamel Mug",
    "London, Greater London SW1Y 4JH",
  ])
    await expect(receipt.getByText(text)).toBeVisible();
  await expect(receipt.getByText("Total").locator("..")).toContainText("$18.50");
  await expect(page.getByText("Order Summary")).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  const colours = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return [color, backgroundColor];
  });
  expect(colours).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
});

test("an unpaid order and the confirmation of its cancellation: axe finds no violation in light and dark, and both fit 360 px", async ({
  page,
  shop,
}) => {
  await openNewOrder(page, shop);
  await expectFitAndAccessible(page);
  await page.getByRole("button", { name: "Cancel order" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectFitAndAccessible(page);
});
