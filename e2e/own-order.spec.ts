import type { Page } from "@playwright/test";
import { placePaidOrder, placeUnpaidOrder } from "./fixtures/orders.ts";
import {
  expectNoHorizontalScrolling,
  expectNoViolations,
  expectUncovered,
  forEachLook,
} from "./fixtures/page-checks.ts";
import type { Shop } from "./fixtures/shop.ts";
import {
  buy,
  clickAndWaitForClose,
  expect,
  fund,
  keepToasts,
  openPopup,
  placeOrder,
  placeOrderHere,
  selectFailure,
  shopper,
  test,
} from "./fixtures/test.ts";

const ordersButton = (page: Page) => page.getByRole("button", { name: "Your orders" });
const panel = (page: Page) => page.getByRole("dialog", { name: "Your orders" });
const note = (page: Page) =>
  page.getByRole("region", { name: "Payment Method" }).locator("[data-news]");

/** Opens the page of the newest order from the panel. */
async function openNewestOrder(page: Page): Promise<void> {
  await ordersButton(page).click();
  await panel(page).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: /^Order #/ })).toBeVisible();
}

/** Places an order and opens its page. @returns the order's id */
async function placeAndOpen(page: Page, name = "Enamel Mug"): Promise<string> {
  await placeOrder(page, name);
  await openNewestOrder(page);
  await expect(page.getByText(`1 × ${name}`)).toBeVisible();
  return new URL(page.url()).searchParams.get("orderId") ?? "";
}

/**
 * Opens the own link of a new order that was not placed in this browser. @returns the order's id
 */
async function openNewOrder(page: Page, shop: Shop): Promise<string> {
  const { id, link } = await placeUnpaidOrder(shop, "enamel-mug");
  await page.goto(link);
  await expect(page.getByText("1 × Enamel Mug")).toBeVisible();
  return id;
}

/** What the browser stores of its orders. */
function storedOrders(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith("keepsats-order-")),
  );
}

test.describe("the own link", () => {
  test("follows the order before there is a loan, and the key is in no address that a server sees", async ({
    page,
    context,
  }) => {
    const requests: string[] = [];
    context.on("request", (request) => {
      const { url, referer } = { url: request.url(), ...request.headers() } as Record<
        string,
        string
      >;
      requests.push(`${url} ${referer ?? ""}`);
    });
    await placeAndOpen(page);
    await expect(page).toHaveURL(/\/order\?orderId=[0-9a-f-]{36}#key=[\w-]{22}$/);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(page.getByText("Your order is pending confirmation.")).toBeVisible();
    await expect(page.getByText(shopper.Email)).toBeVisible();
    await page.reload();
    await expect(page.getByText(shopper.Email)).toBeVisible();
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
    const key = (await storedKey(page)) ?? "no key";
    expect(requests.filter((request) => request.includes(key))).toEqual([]);
  });

  test("with the key of another order says Order not found, and without a key stays Loading, also in the browser that placed it", async ({
    page,
  }) => {
    const id = await placeAndOpen(page);
    await page.goto(`/order?orderId=${id}#key=AAAAAAAAAAAAAAAAAAAAAA`);
    await expect(page.getByRole("alert")).toHaveText("Order not found.");
    await expect(page.getByText("1 × Enamel Mug")).toBeHidden();
    for (const name of ["Copy link", "Print order", "Cancel order", "Correct address"])
      await expect(page.getByRole("button", { name })).toBeHidden();

    await page.goto(`/order?orderId=${id}`);
    await expect(page.getByText("Loading order status...")).toBeVisible();
    await expect(page.getByText("This link is incomplete.")).toBeVisible();
  });

  test("is completed with the key that the browser knows, and copied with it", async ({
    page,
    context,
    browser,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { orderId, loanId } = await buy(page, "Enamel Mug");
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    const own = page.url();
    const withoutKey = `/order?orderId=${orderId}&contractId=${loanId}`;
    await page.goto(withoutKey);
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    for (const name of ["Print receipt", "Correct address"])
      await expect(page.getByRole("button", { name })).toBeVisible();
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(own);
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(own);
    await expect(stranger.getByRole("button", { name: "Print receipt" })).toBeVisible();
    await expect(ordersButton(stranger), "it is no order of that browser").toBeHidden();
    await stranger.goto(withoutKey);
    await expect(stranger.getByText("Your payment has been processed")).toBeVisible();
    for (const name of ["Print receipt", "Correct address"])
      await expect(stranger.getByRole("button", { name })).toBeHidden();
    await stranger.context().close();

    const key = (await storedKey(page)) ?? "no key";
    await replaceInStorage(page, key, "A".repeat(key.length));
    await page.goto(withoutKey);
    await expect
      .poll(() => storedKey(page), "a key that was made void is forgotten")
      .toBeUndefined();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    for (const name of ["Print receipt", "Correct address"])
      await expect(page.getByRole("button", { name })).toBeHidden();
  });

  test("without the key offers to cancel, to correct and to pay again in the browser that knows it, and nowhere else", async ({
    page,
    browser,
  }) => {
    const id = await placeAndOpen(page);
    const popup = await openPopup(page);
    await selectFailure(popup, "The lender rejects it");
    await fund(popup);
    await expect(page.getByText("This payment did not go through")).toBeVisible();
    const { origin, pathname, search } = new URL(page.url());
    expect(search).toContain(`orderId=${id}&contractId=`);
    await page.goto(pathname + search);
    const controls = ["Cancel order", "Correct address", "Print order"];
    for (const name of [...controls, "Try payment again"])
      await expect(page.getByRole("button", { name })).toBeVisible();
    await expect(page.getByText(shopper.Email)).toBeVisible();

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(origin + pathname + search);
    await expect(stranger.getByRole("heading", { name: /^Order #/ })).toBeVisible();
    await expect(stranger.getByText("Shown once the order is paid")).toHaveCount(2);
    for (const name of controls) await expect(stranger.getByRole("button", { name })).toBeHidden();
    await expect(stranger.getByText(shopper.Email)).toBeHidden();
    await stranger.context().close();

    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByText("Your order has been cancelled.")).toBeVisible();
  });
});

/** Replaces a text in what the browser has stored of its orders. */
function replaceInStorage(page: Page, text: string, other: string): Promise<void> {
  return page.evaluate(
    ([from = "", to = ""]) => {
      for (const [name, value] of Object.entries({ ...localStorage }))
        localStorage.setItem(name, String(value).replaceAll(from, to));
    },
    [text, other],
  );
}

/** The key of the newest stored order. */
function storedKey(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const entry = Object.entries(localStorage).find(([name]) => name.startsWith("keepsats-order-"));
    return entry && JSON.parse(String(entry[1])).key;
  });
}

test.describe("Your orders", () => {
  test("an order is found again after its tab was closed between the loan and Complete Purchase", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Add to Cart Enamel Mug" })).toBeVisible();
    await expect(ordersButton(page)).toBeHidden();
    await placeOrderHere(page, "Enamel Mug");
    await fund(await openPopup(page));
    await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeEnabled();
    await page.close();

    const later = await context.newPage();
    await later.goto("/");
    await openNewestOrder(later);
    await expect(later.getByText("Your payment has been processed")).toBeVisible();
    await ordersButton(later).click();
    await expect(panel(later).getByRole("listitem")).toContainText("Paid");
    await expect(panel(later).getByRole("listitem")).toContainText("$18.50");
  });

  test("an order is stored when it is placed, also if the shopper leaves the checkout at that moment", async ({
    page,
  }) => {
    await page.goto("/");
    const placed = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await page.route("**/api/orders", async (route) => {
      const response = await route.fetch();
      placed.resolve();
      await answered.promise;
      await route.fulfill({ response }).catch(() => {});
    });
    await page.getByRole("button", { name: "Add to Cart Enamel Mug" }).click();
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    for (const [label, value] of Object.entries(shopper))
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole("button", { name: "Place Order" }).click();
    await expect(page.getByRole("button", { name: "Processing..." })).toBeVisible();
    await placed.promise;
    expect(await storedOrders(page)).toHaveLength(0);
    answered.resolve();
    await expect(ordersButton(page)).toBeVisible();
    expect(await storedOrders(page)).toHaveLength(1);
  });

  test("opens by keyboard on every screen, returns the focus, and leads to the order", async ({
    page,
  }) => {
    await placeOrder(page, "Enamel Mug");
    for (const path of ["/", "/checkout", "/order"]) {
      await page.goto(path);
      await ordersButton(page).focus();
      await page.keyboard.press("Enter");
      await expect(panel(page).getByRole("listitem")).toContainText("Not paid yet");
      await page.keyboard.press("Escape");
      await expect(panel(page)).toBeHidden();
      await expect(ordersButton(page)).toBeFocused();
    }
    await page.keyboard.press("Enter");
    for (let time = 0; time < 20; time += 1) {
      await expect(panel(page), "also when the key follows at once").toBeVisible();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Enter");
    }
    await panel(page)
      .getByRole("link", { name: /^Order #/ })
      .focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: /^Order #/ })).toBeFocused();
  });

  test("two tabs show the same orders and the same status", async ({ page, context, shop }) => {
    const other = await context.newPage();
    await other.goto("/");
    await expect(ordersButton(other)).toBeHidden();
    const { orderId } = await buy(page, "Enamel Mug");
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await ordersButton(other).click();
    await expect(panel(other).getByRole("listitem")).toContainText("Paid");
    await shop.merchant("orders", "ship", orderId);
    await expect(page.getByText("Your order has been shipped!")).toBeVisible();
    await expect(panel(other).getByRole("listitem")).toContainText("Shipped");
    await panel(other)
      .getByRole("button", { name: /^Forget this order/ })
      .click();
    await expect(ordersButton(page)).toBeHidden();
    await expect(page.getByText("Your order has been shipped!")).toBeVisible();
  });

  test("an order can be forgotten, and taken back until the panel is closed", async ({ page }) => {
    await placeOrder(page, "Enamel Mug");
    await page.goto("/");
    await ordersButton(page).click();
    const number = await panel(page).getByRole("link").textContent();
    await panel(page)
      .getByRole("button", { name: /^Forget this order/ })
      .click();
    await expect(panel(page).getByRole("status")).toContainText("is forgotten here");
    expect(await storedOrders(page)).toHaveLength(0);
    await expect(panel(page).getByRole("button", { name: /^Undo/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(panel(page).getByRole("link")).toHaveText(number ?? "");
    expect(await storedOrders(page)).toHaveLength(1);

    await panel(page)
      .getByRole("button", { name: /^Forget this order/ })
      .click();
    await page.keyboard.press("Escape");
    await expect(ordersButton(page)).toBeHidden();
    await expect(page.locator("main")).toBeFocused();
    await page.reload();
    await expect(page.getByRole("button", { name: "Add to Cart Enamel Mug" })).toBeVisible();
    await expect(ordersButton(page)).toBeHidden();
  });

  test("a browser that stores nothing is told so, and buys as usual", async ({ page }) => {
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
    });
    await placeOrder(page, "Enamel Mug");
    await ordersButton(page).click();
    await expect(panel(page)).toContainText("This browser stores no orders.");
    await page.keyboard.press("Escape");
    await fund(await openPopup(page));
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await ordersButton(page).click();
    await expect(panel(page).getByRole("listitem")).toContainText("Paid");
  });

  test("garbage and 10,000 entries in the storage hold nothing up", async ({ page }) => {
    await page.goto("/");
    await page.evaluate(() => {
      localStorage.setItem("keepsats-order-", "{");
      localStorage.setItem("keepsats-order-null", "null");
      for (let n = 0; n < 10_000; n += 1) {
        const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
        const order = {
          id,
          key: "k",
          created_at: n * 1_000,
          total_price: n,
          status: n % 2 ? "Teleported" : "Paid",
        };
        localStorage.setItem(`keepsats-order-${id}`, JSON.stringify(order));
      }
    });
    await page.reload();
    await ordersButton(page).click();
    await expect(panel(page).getByRole("listitem")).toHaveCount(20);
    await expect(panel(page).getByRole("listitem").first()).toContainText("$99.99");
    await expect(panel(page).getByRole("listitem").first()).toContainText("Unknown");
    await panel(page).getByRole("button", { name: "Show older orders" }).click();
    await expect(panel(page).getByRole("listitem")).toHaveCount(40);
  });
});

test.describe("the checkout follows its order:", () => {
  test("that it is paid stands in the payment panel while the pop-up is still open, and then that the shop has cancelled it", async ({
    page,
    shop,
  }) => {
    await placeOrder(page, "Enamel Mug");
    const popup = await openPopup(page);
    await popup.getByRole("button", { name: "Fund the collateral" }).click();
    await expect(note(page)).toHaveText(/is paid\. Complete your purchase to follow it\.$/);
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeDisabled();
    await clickAndWaitForClose(popup, "Back to shop");
    const id = (await storedOrders(page))[0]?.replace("keepsats-order-", "") ?? "";
    const cancelled = page.getByRole("region", { name: "Your order has been cancelled." });
    await test.step("nothing can be placed again before the shopper has read that, and what becomes of the money", async () => {
      await shop.merchant("orders", "cancel", id, "--yes", "--message", "The last mug broke.");
      await expect(cancelled).toContainText(
        "If your loan was paid out, the shop gives that money back",
      );
      await expect(cancelled).toContainText("The last mug broke.");
      await expect(cancelled.getByRole("heading")).toBeFocused();
      await expect(page.getByRole("button", { name: "Place Order" })).toBeHidden();
      await expectNoViolations(page);
    });
    await test.step("a refund is told at once, and on the order page too", async () => {
      await shop.merchant("orders", "refund", id, "18.50", "--method", "bank transfer");
      await expect(cancelled).toContainText("The shop has refunded $18.50.");
      const other = await page.context().newPage();
      await other.goto((await cancelled.getByRole("link").getAttribute("href")) ?? "");
      await expect(
        other.getByText("Nothing will be shipped. The shop has refunded $18.50."),
      ).toBeVisible();
      await other.close();
    });
    await test.step("then a new order can be placed with the same cart", async () => {
      await cancelled.getByRole("button", { name: "Start a new order" }).click();
      await expect(page.getByRole("button", { name: "Place Order" })).toBeEnabled();
      await expect(page.getByTestId("cart-badge")).toHaveText("1 item");
    });
  });

  test("a declined loan is told there, and the order is paid with another one", async ({
    page,
  }) => {
    await placeOrder(page, "Enamel Mug");
    const popup = await openPopup(page);
    await selectFailure(popup, "The lender rejects it");
    await popup.getByRole("button", { name: "Fund the collateral" }).click();
    await expect(popup.getByRole("heading", { name: "Loan rejected" })).toBeVisible();
    await clickAndWaitForClose(popup, "Back to shop");
    await expect(note(page)).toContainText("this payment did not go through");
    await expect(note(page)).toContainText("You can try again.");
    await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeEnabled();
    await fund(await openPopup(page, "Try payment again"));
    await expect(note(page)).toContainText("is paid.");
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
  });

  test("a payment that another tab has made leads to the order and ends the purchase", async ({
    page,
    context,
  }) => {
    await placeOrder(page, "Enamel Mug");
    const other = await context.newPage();
    await other.goto("/");
    await openNewestOrder(other);
    await fund(await openPopup(other));
    await expect(other.getByText("Your payment has been processed")).toBeVisible();
    await expect(note(page)).toContainText("is paid.");
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
  });
});

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

  test("an unpaid order is cancelled after a confirmation, and its toast does not replace what the page says", async ({
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

  test("a cancellation that is refused is explained in the dialog, and can be tried again", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to (?:cancel|load)/);
    await openNewOrder(page, shop);
    await page.getByRole("button", { name: "Cancel order" }).click();
    const dialog = page.getByRole("dialog");
    await page.route("**/cancellation", (route) =>
      route.fulfill({ status: 503, json: { title: "", status: 503, code: "unavailable" } }),
    );
    await dialog.getByRole("button", { name: "Cancel order" }).click();
    await expect(dialog.getByRole("alert")).toContainText(
      "The lender cannot be asked about your loan right now",
    );
    await page.unroute("**/cancellation");
    await dialog.getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByText("Your order has been cancelled.")).toBeVisible();
  });

  test("a cancellation is explained also when the page shows the loan before the answer comes", async ({
    page,
    console,
  }) => {
    console.expect(/Failed to (?:cancel|load)/);
    const address = { street: "s", city: "c", state: "s", postal_code: "p", country: "c" };
    const addresses = { shipping_address: address, billing_address: address };
    const people = { customer_name: "Ada", customer_email: "ada@example.org", ...addresses };
    const data = {
      ...people,
      items: [],
      total_price: 45,
      created_at: 1_751_371_200,
      has_key: true,
    };
    let say = (_: string) => {};
    await page.routeWebSocket(/order-status/, (socket) => {
      say = (status) => socket.send(JSON.stringify({ type: "order", data: { ...data, status } }));
      say("Pending");
    });
    await page.route("**/cancellation", async (route) => {
      say("PaymentProcessing");
      await expect(page.getByText("Your payment is being processed.")).toBeVisible();
      await route.fulfill({
        status: 409,
        json: { title: "", status: 409, code: "loan_under_way" },
      });
    });
    await page.goto("/order?orderId=00000000-0000-4000-8000-000000000000#key=k");
    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText(
      "A loan for this order is under way.",
    );
  });

  test("a cancellation that fails after its dialog was closed opens the dialog again", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to (?:cancel|load)/);
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
      "The lender cannot be asked",
    );
  });

  test("the shipping address is corrected, with the messages of the checkout", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to (?:correct|load)/);
    await openNewOrder(page, shop);
    await page.getByRole("button", { name: "Correct address" }).click();
    const dialog = page.getByRole("dialog", { name: "Correct the shipping address" });
    await expect(dialog.getByLabel("Street")).toBeFocused();
    await dialog.getByLabel("City").fill(" ");
    await dialog.getByRole("button", { name: "Save address" }).click();
    await expect(dialog.getByText("City is required")).toBeVisible();
    await expect(dialog.getByLabel("City")).toBeFocused();
    await dialog.getByLabel("City").fill("Cambridge");
    await expect(dialog.getByText("City is required")).toBeHidden();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Correct address" }).click();
    await expect(dialog.getByLabel("City"), "what was typed is kept").toHaveValue("Cambridge");
    // Another tab corrects the address first.
    await page.route(
      "**/api/orders/*",
      async (route) => {
        const { shipping_address } = route.request().postDataJSON();
        const postData = JSON.stringify({
          shipping_address: { ...shipping_address, city: "Paris" },
        });
        await route.fetch({ postData });
        await route.continue();
      },
      { times: 1 },
    );
    await dialog.getByRole("button", { name: "Save address" }).click();
    await expectUncovered(
      dialog.getByRole("alert").filter({ hasText: ", Paris, Greater London," }),
    );
    await dialog.getByRole("button", { name: "Save address" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.locator("address")).toContainText("Cambridge, Greater London");
    await expect(page.getByRole("button", { name: "Correct address" })).toBeFocused();
  });

  test("an address that is corrected while the order ships is refused in words, and the typing stays", async ({
    page,
    shop,
  }) => {
    const { id: orderId, link } = await placePaidOrder(shop);
    await page.goto(link);
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await page.getByRole("button", { name: "Correct address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("City").fill("Cambridge");
    await shop.merchant("orders", "ship", orderId);
    await expect(dialog.getByRole("alert")).toContainText("This order is shipped now");
    await expect(dialog.getByLabel("City")).toHaveValue("Cambridge");
    await expect(dialog.getByRole("button", { name: "Save address" })).toBeDisabled();
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await expect(page.getByRole("button", { name: "Correct address" })).toBeHidden();
  });

  test("a correction that comes too late for a page without its live link is refused in words", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/Failed to (?:correct|load)/);
    await openNewOrder(page, shop);
    await page.route("**/api/orders/*", (route) =>
      route.fulfill({
        status: 409,
        json: { title: "", status: 409, code: "status_changed", current_status: "Shipped" },
      }),
    );
    await page.getByRole("button", { name: "Correct address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("City").fill("Cambridge");
    await dialog.getByRole("button", { name: "Save address" }).click();
    await expect(dialog.getByRole("alert")).toContainText("This order is shipped now");
    await expect(dialog.getByLabel("City")).toHaveValue("Cambridge");
  });

  test("tracking and the shop's message are shown, and only a web address becomes a link", async ({
    page,
  }) => {
    let say = (_: object) => {};
    const address = { street: "s", city: "c", state: "s", postal_code: "p", country: "c" };
    const data = {
      status: "Shipped",
      items: [{ id: "moka-pot", name: "Moka Pot", price: 45, quantity: 1 }],
      total_price: 45,
      shipping_address: address,
      billing_address: address,
      customer_name: "Ada",
      customer_email: "ada@example.org",
      created_at: 1_751_371_200,
      carrier: "DHL <b>",
      tracking_number: "JD0001",
    };
    await page.routeWebSocket(/order-status/, (socket) => {
      say = (changes) =>
        socket.send(JSON.stringify({ type: "order", data: { ...data, ...changes } }));
      say({ tracking_url: "https://carrier.example/JD0001" });
    });
    await page.goto("/order?orderId=00000000-0000-4000-8000-000000000000#key=k");
    const shipment = page.getByRole("region", { name: "Shipment" });
    await expect(shipment).toContainText("DHL <b>");
    await expect(shipment).toContainText("JD0001");
    const link = shipment.getByRole("link", { name: "Track the parcel" });
    await expect(link).toHaveAttribute("href", "https://carrier.example/JD0001");
    await expect(link).toHaveAttribute("rel", /noopener/);
    say({ tracking_url: "javascript:alert(1)", merchant_message: "Sorry,\nit is <late>." });
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
  const orderId = await openNewOrder(page, shop);
  await expect(page.getByRole("button", { name: "Print order" })).toBeVisible();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByText("Keepsats · Order", { exact: true })).toBeVisible();
  await expect(page.getByText("Paid with a Bitcoin-backed loan")).toBeHidden();
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });

  await fund(await openPopup(page));
  await expect(page.getByText("Your payment has been processed")).toBeVisible();
  await page.getByRole("button", { name: "Print receipt" }).click();
  expect(await page.evaluate(() => Reflect.get(window, "printed"))).toBe(true);

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const text of [
    "Keepsats · Receipt",
    "Paid with a Bitcoin-backed loan",
    orderId,
    "1 × Enamel Mug",
    "Billing Address",
    "Order Date",
    "Status",
  ])
    await expect(page.locator("main").getByText(text, { exact: true })).toBeVisible();
  await expect(
    page.getByText("London, Greater London SW1Y 4JH").filter({ visible: true }),
  ).toHaveCount(2);
  await expect(page.getByText("Total").locator("..")).toContainText("$18.50");
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  const colours = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return [color, backgroundColor];
  });
  expect(colours).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
});

/** The screens of this file in the states that look different. */
const screens: readonly { name: string; open: (page: Page, shop: Shop) => Promise<void> }[] = [
  {
    name: "the panel",
    async open(page) {
      for (const name of ["Enamel Mug", "Moka Pot"]) await placeOrder(page, name);
      await page.goto("/");
      await ordersButton(page).click();
      await panel(page)
        .getByRole("button", { name: /^Forget this order/ })
        .first()
        .click();
    },
  },
  {
    name: "the panel, failed",
    async open(page) {
      await placeOrder(page, "Enamel Mug");
      await page.route("**/assets/own-orders-panel-*", (route) => route.abort());
      await page.goto("/");
      await ordersButton(page).click();
      await expect(panel(page).getByText("The list could not be shown.")).toBeVisible();
    },
  },
  { name: "an unpaid order", open: async (page, shop) => void (await openNewOrder(page, shop)) },
  {
    name: "the confirmation of a cancellation",
    async open(page, shop) {
      await openNewOrder(page, shop);
      await page.getByRole("button", { name: "Cancel order" }).click();
    },
  },
  {
    name: "the form for an address, with an error",
    async open(page, shop) {
      await openNewOrder(page, shop);
      await page.getByRole("button", { name: "Correct address" }).click();
      await page.getByLabel("Street").fill("");
      await page.getByRole("button", { name: "Save address" }).click();
      await expect(page.getByText("Street is required")).toBeVisible();
    },
  },
  {
    name: "a declined loan at the checkout",
    async open(page) {
      await placeOrder(page, "Enamel Mug");
      const popup = await openPopup(page);
      await selectFailure(popup, "The lender rejects it");
      await popup.getByRole("button", { name: "Fund the collateral" }).click();
      await expect(note(page)).toContainText("did not go through");
    },
  },
];

for (const { name, open } of screens) {
  test(`${name}: axe finds no violation in light and dark, and it fits 360 px`, async ({
    page,
    shop,
    console,
  }) => {
    console.expect(/own-orders-panel|dynamically imported|ERR_FAILED/);
    await open(page, shop);
    await forEachLook(page, async () => {
      await expectNoHorizontalScrolling(page);
      await expectNoViolations(page);
    });
  });
}

test("on a phone the top bar with Your orders has one row", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await placeOrder(page, "Enamel Mug");
  const [name, button] = await Promise.all([
    page.locator("header").getByText("Keepsats").boundingBox(),
    ordersButton(page).boundingBox(),
  ]);
  expect(Math.abs(middleOf(name) - middleOf(button))).toBeLessThan(4);
});

function middleOf(box: { y: number; height: number } | null): number {
  return (box?.y ?? 0) + (box?.height ?? 0) / 2;
}

test("a failed load of the list is tried again, and the rest of the page goes on", async ({
  page,
  console,
}) => {
  console.expect(/own-orders-panel|dynamically imported|ERR_FAILED/);
  await placeOrder(page, "Enamel Mug");
  await page.route("**/assets/own-orders-panel-*", (route) => route.abort());
  await page.goto("/");
  await ordersButton(page).click();
  await expect(panel(page).getByText("The list could not be shown.")).toBeVisible();
  await page.unroute("**/assets/own-orders-panel-*");
  await panel(page).getByRole("button", { name: "Load it again" }).click();
  await expect(panel(page).getByRole("listitem")).toContainText("Not paid yet");
});

test("the form for an address loads again after a failure, although it is in the checkout's code", async ({
  page,
  console,
  shop,
}) => {
  console.expect(/checkout-|dynamically imported|ERR_FAILED/);
  await openNewOrder(page, shop);
  await page.route("**/assets/checkout-*", (route) => route.abort());
  await page.reload();
  await page.getByRole("button", { name: "Correct address" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("The form could not be shown.")).toBeVisible();
  await page.unroute("**/assets/checkout-*");
  await dialog.getByRole("button", { name: "Load it again" }).click();
  await expect(dialog.getByLabel("City")).toHaveValue("London");
});
