import type { Locator, Page } from "@playwright/test";
import { type PlacedOrder, placePaidOrder } from "./fixtures/orders.ts";
import {
  expect,
  fillCart,
  fillForm,
  fund,
  goToCheckout,
  keepToasts,
  openPopup,
  placeOrder,
  shopper,
  test,
} from "./fixtures/test.ts";

/**
 * Advances the clock of the page until an element is shown, so that nobody waits for the pauses
 * between tries.
 */
async function skipBackoff(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(2_000);
    await expect(shown).toBeVisible({ timeout: 200 });
  }).toPass();
}

const addressMessages = [
  "Street is required",
  "City is required",
  "State is required",
  "Postal code is required",
  "Country is required",
];

test("an empty cart leads back to the shop; the letter case of the address does not matter", async ({
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

test("the steps are Details, Pay and Done, and the page says what has happened and what is next", async ({
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
      /^Order #[0-9a-f]{8}(: the payment window reported success\.|: your payment is under way\..*| is paid\.) Complete your purchase to follow it\.$/,
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

  test("copies shipping to billing while they are the same, and when they become the same", async ({
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
  });

  test("Cancel leads to the shop, and the form keeps its content", async ({ page }) => {
    await fillForm(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL("/");
    await goToCheckout(page);
    await expect(page.getByLabel("Full Name")).toHaveValue(shopper["Full Name"]);
    await expect(page.getByLabel("Country")).toHaveValue(shopper.Country);
  });
});

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
      street: shopper.Street,
      city: shopper.City,
      state: shopper.State,
      postal_code: shopper["Postal Code"],
      country: shopper.Country,
    };
    expect(bodies).toEqual([
      {
        items: [{ item_id: "moka-pot", quantity: 1 }],
        customer_name: shopper["Full Name"],
        customer_email: shopper.Email,
        shipping_address: address,
        billing_address: address,
      },
    ]);
    for (const label of Object.keys(shopper))
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

  test("removes the error of the last try when the form is submitted again, also with a missing field", async ({
    page,
    console,
  }) => {
    console.expect(/Failed to create the order|400/);
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
    await fillForm(page);
    await page.route("**/api/orders", (route) => route.fulfill({ status: 400, json: {} }));
    await page.getByRole("button", { name: "Place Order" }).click();
    const failure = page.getByText("Failed to create order. Please try again.");
    await expect(failure).toBeVisible();
    await page.getByLabel("City").fill("");
    await page.getByRole("button", { name: "Place Order" }).click();
    await expect(page.getByText("City is required")).toBeVisible();
    await expect(failure).toBeHidden();
  });

  test("shows an error when the answer is lost, and a second try creates no second order", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to create the order|net::ERR/);
    await fillCart(page, "Wool Blanket");
    await goToCheckout(page);
    await fillForm(page);
    const name = `Lost Answer ${Math.random()}`;
    await page.getByLabel("Full Name").fill(name);
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
      await shop.merchant("orders", "list", "--all", "--json"),
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
    await skipBackoff(page, page.getByText("Order Placed!"));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
});

test.describe("the placed order", () => {
  test("can be continued from the shop page, and Back from the order page leads to the shop", async ({
    page,
  }) => {
    await placeOrder(page, "Moka Pot");
    await page.reload();
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

  test("can be paid after a reload, and is still paid after another one, which empties the basket", async ({
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

test.describe("the payment panel", () => {
  test.beforeEach(async ({ page }) => {
    await fillCart(page, "Moka Pot");
    await goToCheckout(page);
  });

  test("has two payment methods, and the loan's panel is open and names the addresses of both windows", async ({
    page,
    shop,
  }) => {
    const [popup, here] = [new URL(shop.lenderUrl).host, new URL(shop.url).host];
    await expect(
      page.getByText(
        `The payment window opens at ${popup}. This page stays at ${here}: close it if its address changes.`,
      ),
    ).toBeVisible();
    await expect(
      page.getByText(/bitcoin as collateral without selling it. No credit check is required/),
    ).toBeVisible();
    await expect(page.getByText("Just kidding, this is not an option.")).toBeHidden();
    await page.getByText("Standard Payment").click();
    await expect(page.getByText("Just kidding, this is not an option.")).toBeVisible();
    await page.getByText("Bitcoin-Backed Loan", { exact: true }).click();
    await expect(
      page.getByRole("region", { name: "Payment Method" }).getByText("$45.00"),
    ).toBeVisible();
    await expect(
      page.locator("summary", { hasText: "Bitcoin-Backed Loan" }).locator("svg.lucide-bitcoin"),
    ).toBeVisible();
  });

  test("explains the loan in five sentences, in a dialog that Escape closes", async ({ page }) => {
    await page.getByRole("button", { name: "How does it work?" }).click();
    const dialog = page.getByRole("dialog", { name: "How a Bitcoin-backed loan works" });
    await expect(dialog.getByRole("listitem")).toHaveCount(5);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "How does it work?" })).toBeFocused();
  });

  test("retries the current user until it is loaded", async ({ page, console }) => {
    console.expect(/503/);
    await page.clock.install();
    await page.route("**/api/me", (route) => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    await placeOrder(page, "Moka Pot");
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeDisabled();
    await expect(
      page.getByText("The lender cannot be reached right now. We keep trying."),
    ).toBeVisible();
    await page.unroute("**/api/me");
    await skipBackoff(page, page.locator("button:enabled", { hasText: "Finance with Bitcoin" }));
  });
});

test.describe("toasts are as specified:", () => {
  const toasts = (page: Page) => page.locator("[data-sonner-toast]");

  /** Opens an order page and stops its clock: time passes only by `page.clock`. */
  async function stopTheClock(page: Page, { link }: PlacedOrder): Promise<void> {
    await page.clock.install();
    await page.goto(link);
    await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await page.clock.runFor(1_000);
    await expect(toasts(page)).toHaveCount(0);
  }

  /** Copies the link and advances the clock in small steps until there are `count` toasts. */
  async function copyLink(page: Page, count: number): Promise<void> {
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(5);
        return toasts(page).count();
      })
      .toBe(count);
  }

  test("shown for 4 seconds, 356 px wide, 14 px apart, at most three, and Alt+T focuses them", async ({
    page,
    shop,
  }) => {
    await stopTheClock(page, await placePaidOrder(shop));
    await copyLink(page, 1);
    await page.clock.runFor(3_850);
    await expect(page.locator("[data-sonner-toast][data-removed=false]")).toHaveCount(1);
    await page.clock.runFor(400);
    await expect(toasts(page)).toHaveCount(0);

    for (let copies = 1; copies <= 4; copies += 1) await copyLink(page, copies);
    await expect(page.locator("[data-sonner-toast][data-visible=true]")).toHaveCount(3);
    expect((await toasts(page).first().boundingBox())?.width).toBe(356);
    const list = page.locator("[data-sonner-toaster]");
    expect(
      await list.evaluate((element) => getComputedStyle(element).getPropertyValue("--gap")),
    ).toBe("14px");
    await page.keyboard.press("Alt+KeyT");
    await expect(list).toBeFocused();
  });
});
