import type { Locator } from "@playwright/test";
import { openPlacedOrder } from "./fixtures/orders.ts";
import {
  customer,
  expect,
  fillCart,
  fillForm,
  fund,
  goToCheckout,
  keepToasts,
  openPopup,
  placeOrder,
  skipRetryDelays,
  test,
} from "./fixtures/test.ts";

test.describe("placing the order", () => {
  test("sends one order for a double click, shows Processing..., then disables the form", async ({
    page,
  }) => {
    await page.clock.install();
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
    await fillForm(page);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const bodies: unknown[] = [];
    await page.route("**/api/orders", async (route) => {
      bodies.push(route.request().postDataJSON());
      await held;
      await route.continue();
    });
    const releaseToasts = await keepToasts(page);
    await page.getByRole("button", { name: "Place Order" }).dblclick();
    await expect(page.getByRole("button", { name: "Processing..." })).toBeDisabled();
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeDisabled();
    answer();
    await expect(page.getByText("Order Placed!")).toBeVisible();
    await expect(page.getByText("Your order has been successfully placed.")).toBeVisible();
    const address = {
      street: customer.Street,
      city: customer.City,
      state: customer.State,
      postal_code: customer["Postal Code"],
      country: customer.Country,
    };
    expect(bodies).toEqual([
      {
        items: [{ item_id: "moka-pot", quantity: 1 }],
        customer_name: customer["Full Name"],
        customer_email: customer.Email,
        shipping_address: address,
        billing_address: address,
      },
    ]);
    for (const label of Object.keys(customer))
      await expect(page.getByLabel(label, { exact: true })).toBeDisabled();
    await expect(page.getByLabel("Billing address same as shipping")).toBeDisabled();
    await expect(page.getByRole("button", { name: "Place Order" })).toBeHidden();
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeEnabled();
    await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeDisabled();
    await releaseToasts();
    await page.clock.fastForward(4_000);
    await expect(page.getByText("Order Placed!")).toBeHidden();
  });

  test("shows a toast on a phone that covers neither the payment button nor the heading", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
    await fillForm(page);
    await keepToasts(page);
    await page.getByRole("button", { name: "Place Order" }).click();
    const toast = page.locator("[data-sonner-toast]");
    await expect(toast).toHaveAttribute("data-mounted", "true");
    await expect(page.getByRole("heading", { name: "Payment Method" })).toBeFocused();
    const bottom = async (place: Locator) => {
      const box = await place.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    for (const below of [
      page.getByRole("heading", { name: "Payment Method" }),
      page.getByRole("button", { name: "Finance with Bitcoin" }),
    ])
      await expect
        .poll(async () => ((await below.boundingBox())?.y ?? 0) - (await bottom(toast)))
        .toBeGreaterThanOrEqual(0);
  });

  test("sends one order when the form is submitted twice before the page has reacted", async ({
    page,
  }) => {
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
    await fillForm(page);
    await keepToasts(page);
    let requests = 0;
    await page.route("**/api/orders", (route) => {
      requests += 1;
      return route.continue();
    });
    await page.locator("form").evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await expect(page.getByText("Order Placed!")).toBeVisible();
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeEnabled();
    await expect(page.locator("[data-sonner-toast]")).toHaveCount(1);
    expect(requests).toBe(1);
  });

  test("shows an error until the form is submitted again, and if the answer was lost, another attempt creates no second order", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to create the order|400|net::ERR/);
    await fillCart(page, "Wool Blanket");
    await goToCheckout(page);
    await fillForm(page);
    const name = `Lost Answer ${Math.random()}`;
    await page.getByLabel("Full Name").fill(name);
    const failure = page.getByText("Failed to create order. Please try again.");
    await test.step("the error of the last attempt is removed, also if a field is missing now", async () => {
      await page.route("**/api/orders", (route) => route.fulfill({ status: 400, json: {} }));
      await page.getByRole("button", { name: "Place Order" }).click();
      await expect(failure).toBeVisible();
      await page.getByLabel("City").fill("");
      await page.getByRole("button", { name: "Place Order" }).click();
      await expect(page.getByText("City is required")).toBeVisible();
      await expect(failure).toBeHidden();
      await page.unroute("**/api/orders");
      await page.getByLabel("City").fill(customer.City);
    });
    let lost: string | undefined;
    await page.route("**/api/orders", async (route) => {
      const response = await route.fetch();
      lost = (await response.json()).id;
      await route.abort("connectionreset");
    });
    await page.getByRole("button", { name: "Place Order" }).click();
    await expect(
      page.getByRole("alert").filter({ hasText: "Failed to create order. Please try again." }),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Place Order" })).toBeEnabled();
    await page.unroute("**/api/orders");

    const [response] = await Promise.all([
      page.waitForResponse("**/api/orders"),
      page.getByRole("button", { name: "Place Order" }).click(),
    ]);
    expect((await response.json()).id).toBe(lost);
    expect(response.headers()["idempotent-replayed"]).toBe("true");
    await expect(page.getByText("Order Placed!")).toBeVisible();
    const orders: { customer_name: string }[] = JSON.parse(
      await shop.cli("orders", "list", "--all", "--json"),
    );
    expect(orders.filter(({ customer_name }) => customer_name === name)).toHaveLength(1);
  });

  test("is retried with the same idempotency key while the server is unavailable", async ({
    page,
    console,
  }) => {
    console.expect(/50[24]/);
    await page.clock.install();
    await fillCart(page, "Wool Blanket");
    await goToCheckout(page);
    await fillForm(page);
    const keys: (string | undefined)[] = [];
    await page.route("**/api/orders", (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      // As a proxy answers while the server restarts: without a problem document.
      const status = [502, 504][keys.length - 1];
      return status === undefined ? route.continue() : route.fulfill({ status, body: "" });
    });
    await page.getByRole("button", { name: "Place Order" }).click();
    await skipRetryDelays(page, page.getByText("Order Placed!"));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
});

test.describe("the placed order", () => {
  test("can be continued from the shop page, and Back from the order page leads to the shop", async ({
    page,
    shop,
  }) => {
    await openPlacedOrder(page, shop);
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await expect(page.getByText(/^Order #[0-9a-f]{8} is not paid yet\./)).toBeVisible();
    await page.getByRole("link", { name: "Continue checkout" }).click();
    await fund(await openPopup(page));
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
    await expect(page.getByText("is not paid yet")).toBeHidden();
  });

  test("can be paid after a reload, and is still paid after another one, which empties the cart", async ({
    page,
  }) => {
    await placeOrder(page, "Moka Pot");
    await page.reload();
    await fund(await openPopup(page));
    await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeEnabled();
    await page.reload();
    await expect(page.getByText("1 × Moka Pot")).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeDisabled();
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment")).toBeVisible();
    expect(new URL(page.url()).hash).toMatch(/^#key=[\w-]{22}$/);
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});
