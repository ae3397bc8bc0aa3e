import type { Browser, Page } from "@playwright/test";
import { openStream } from "./fixtures/order-stream.ts";
import { openPlacedOrder, placePaidOrder, placeUnpaidOrder } from "./fixtures/orders.ts";
import {
  clickAndWaitForClose,
  expect,
  fund,
  keepToasts,
  openPopup,
  selectFailure,
  test,
} from "./fixtures/test.ts";

const link = "/order?orderId=abcdef01-0000-4000-8000-000000000000&contractId=c1";

/** Answers each connection to the order stream with these messages. */
async function answerWith(page: Page, ...messages: unknown[]): Promise<void> {
  await page.routeWebSocket(/order-status/, (socket) => {
    for (const message of messages)
      socket.send(typeof message === "string" ? message : JSON.stringify(message));
  });
}

test.describe("the screen", () => {
  test("shows each status with its title, text and icon, and an unknown one as unknown", async ({
    page,
  }) => {
    const { show } = await openStream(page, link);
    const alert = page.getByRole("region", { name: "Status" });
    for (const [status, title, description] of [
      ["Pending", "Pending", "Your order is pending confirmation."],
      ["PaymentProcessing", "Payment processing", "Your payment is being processed."],
      ["Teleported", "Unknown", "Unknown status"],
      [
        "PaymentProcessed",
        "Payment processed",
        "Your payment has been processed. We will ship your order shortly.",
      ],
      [undefined, "Unknown", "Unknown status"],
      ["Shipped", "Shipped", "Your order has been shipped!"],
      [null, "Unknown", "Unknown status"],
      ["Delivered", "Delivered", "Your order has been delivered!"],
      ["constructor", "Unknown", "Unknown status"],
      ["Cancelled", "Cancelled", "Your order has been cancelled."],
    ]) {
      await test.step(`the status ${status}`, async () => {
        show({ status });
        await expect(alert.getByRole("heading", { name: title ?? "", exact: true })).toBeVisible();
        await expect(alert).toContainText(description ?? "");
        await expect(alert.locator("svg").first()).toBeVisible();
      });
    }
  });

  test("shows the order's details, hostile ones as plain text, and says when they are withheld or erased", async ({
    page,
  }) => {
    const { show } = await openStream(page, link);
    const shipping = page.getByRole("region", { name: "Shipping Information" });
    const total = page.getByText("Total").locator("..");
    const nowhere = { street: "", city: "", state: "", postal_code: "", country: "" };
    const nothing = {
      customer_name: "",
      customer_email: "",
      shipping_address: nowhere,
      billing_address: nowhere,
    };

    await test.step("number, items, total, shipping address, date and contact", async () => {
      show();
      await expect(page.getByText("Order Status", { exact: true })).toBeVisible();
      await expect(page.getByRole("heading", { name: "Order #abcdef01" })).toBeVisible();
      await expect(page).toHaveTitle("Order #abcdef01 · Keepsats");
      await expect(page.getByText("2 × Moka Pot")).toBeVisible();
      await expect(total).toContainText("$90.00");
      await expect(page.locator("address")).toHaveText("Ada Lovelace1 RoadTown, State 123Land");
      await expect(page.getByText("July 1, 2025")).toBeVisible();
      await expect(page.getByText("ada@example.org")).toBeVisible();
    });
    await test.step("without the order's key the details are withheld", async () => {
      show({ ...nothing, withheld: true });
      await expect(page.getByText("2 × Moka Pot")).toBeVisible();
      await expect(shipping.getByText("Shown once the order is paid")).toHaveCount(2);
      await expect(shipping.getByText("July 1, 2025")).toBeVisible();
    });
    await test.step("the shop has erased the details", async () => {
      show({ ...nothing, status: "Delivered", erased_at: 1_782_907_200 });
      await expect(shipping.getByText("Erased by the shop on July 1, 2026")).toHaveCount(2);
      await expect(total).toContainText("$90.00");
    });
    await test.step("hostile names are shown as plain text", async () => {
      const hostile = "<img src=x onerror=alert(1)>{{7*7}}";
      show({
        status: "Shipped",
        customer_name: hostile,
        customer_email: `"${hostile}"@example.org`,
        shipping_address: {
          street: hostile,
          city: hostile,
          state: hostile,
          postal_code: hostile,
          country: hostile,
        },
        items: [{ id: "x", name: hostile, price: 45, quantity: 2 }],
      });
      await expect(page.getByText(`2 × ${hostile}`)).toBeVisible();
      await expect(page.locator("address")).toContainText(hostile);
      await expect(page.locator("img[src=x]")).toHaveCount(0);
    });
    await page.getByRole("link", { name: "Continue Shopping" }).click();
    await expect(page).toHaveURL("/");
  });

  test("shows each error of the stream, beside the order once it has arrived", async ({ page }) => {
    const { send, show } = await openStream(page, link);
    const errors = [
      ["OrderNotFound", "Order not found."],
      ["ContractNotFound", "Contract not found."],
      ["ConnectionError", "Could not connect websocket. Please check logs"],
    ] as const;
    const expectError = async (kind: string, text: string) => {
      send({ type: "error", data: { kind } });
      await expect(page.getByRole("alert")).toHaveText(text);
    };
    for (const [kind, text] of errors) {
      await expectError(kind, text);
      await expect(page.getByText("Loading order status...")).toBeHidden();
    }
    for (const [kind, text] of errors) {
      show();
      await expect(page.getByRole("alert")).toBeHidden();
      await expect(page.getByText("Your order is pending confirmation.")).toBeVisible();
      await expectError(kind, text);
      await expect(page.getByText("Your order is pending confirmation.")).toBeVisible();
    }
  });

  test("shows Loading until an order arrives, and logs unreadable messages", async ({
    page,
    console,
  }) => {
    console.expect(/could not be read/);
    await answerWith(page, "not json", { type: "order", data: { status: 7 } }, { type: "gossip" });
    await page.goto(link);
    await expect(page.getByText("Loading order status...")).toBeVisible();
    await expect
      .poll(() => console.lines.filter((line) => line.includes("could not be read")).length)
      .toBe(3);
  });

  test("without both ids opens no connection, warns, and shows Loading", async ({
    page,
    console,
  }) => {
    let opened = 0;
    await page.routeWebSocket(/order-status/, () => {
      opened += 1;
    });
    const warnings = () =>
      console.lines.filter((line) => line.startsWith("warning: The order page needs"));
    await page.goto("/order?orderId=abc");
    await expect(page.getByText("Loading order status...")).toBeVisible();
    await expect.poll(() => warnings().length).toBe(1);
    // A connection opened by the same effect as the warning would exist by the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(opened).toBe(0);
  });
});

test.describe("the live link", () => {
  test("reconnects after the server was killed and started again", async ({
    page,
    console,
    shop,
  }) => {
    console.expect(/WebSocket|net::ERR_/);
    const { id, link } = await placePaidOrder(shop);
    await page.clock.install();
    await page.goto(link);
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    // Its code is loaded last, which would fail without the server.
    await expect(page.getByRole("region", { name: /^Notifications/ })).toBeAttached();

    await shop.kill();
    await expect(page.getByText("Disconnected")).toBeVisible();
    await expect(page.getByText("Disconnected")).toHaveCSS("background-color", "rgb(194, 42, 32)");
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await shop.start();
    await page.clock.fastForward(5_000);
    await expect(page.getByText("Disconnected")).toBeHidden();
    await shop.cli("orders", "ship", id);
    await expect(page.getByText("Your order has been shipped!")).toBeVisible();

    await shop.kill();
    await expect(page.getByText("Disconnected")).toBeVisible();
    await shop.start();
    await shop.cli("orders", "deliver", id);
    await page.clock.fastForward(5_000);
    await expect(page.getByText("Your order has been delivered!")).toBeVisible();
  });

  test("Refresh reloads the same place, and the copied link opens the order in another browser", async ({
    page,
    context,
    browser,
    shop,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { id: orderId, link } = await placePaidOrder(shop, "enamel-mug");
    await page.goto(link);
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    const url = page.url();
    await page.evaluate(() => Object.assign(window, { before: true }));
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect
      .poll(() =>
        page.evaluate(() => Reflect.get(window, "before") === undefined).catch(() => false),
      )
      .toBe(true);
    expect(page.url()).toBe(url);
    await expect(
      page.getByRole("heading", { name: `Order #${orderId.slice(0, 8)}` }),
    ).toBeVisible();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();

    await keepToasts(page);
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect(page.getByText("Link copied")).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(page.url());
    const otherBrowser = await (await browser.newContext()).newPage();
    await otherBrowser.goto(copied);
    await expect(otherBrowser.getByText("1 × Enamel Mug").filter({ visible: true })).toBeVisible();
    await otherBrowser.context().close();
  });
});

/** Opens the order page without its key and expects that name, address and email are withheld. */
async function expectWithheldWithoutKey(browser: Browser, url: string): Promise<void> {
  const visitor = await (await browser.newContext()).newPage();
  const { pathname, search, origin } = new URL(url);
  await visitor.goto(`${origin}${pathname}${search}`);
  await expect(visitor.getByText("Shown once the order is paid")).toHaveCount(2);
  await expect(visitor.getByText("ada@example.org")).toBeHidden();
  await visitor.context().close();
}

/** Opens the order page without its key and expects that nothing of the order is shown. */
async function expectNothingWithoutKey(browser: Browser, url: string): Promise<void> {
  const visitor = await (await browser.newContext()).newPage();
  const { pathname, search, origin } = new URL(url);
  await visitor.goto(`${origin}${pathname}${search}`);
  await expect(visitor.getByRole("alert")).toHaveText("Contract not found.");
  await expect(visitor.getByText("Enamel Mug")).toBeHidden();
  await expect(visitor.getByRole("button", { name: "Try payment again" })).toBeHidden();
  await visitor.context().close();
}

test.describe("when the loan fails", () => {
  test("(the lender rejects it) the order is Pending again and can be paid with another loan", async ({
    page,
    browser,
    shop,
  }) => {
    await openPlacedOrder(page, shop);
    const popup = await openPopup(page);
    await selectFailure(popup, "The lender rejects it");
    await popup.getByRole("button", { name: "Fund the collateral" }).click();
    await expect(popup.getByRole("heading", { name: "Loan rejected" })).toBeVisible();
    await clickAndWaitForClose(popup, "Back to shop");
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByRole("button", { name: "Try payment again" })).toBeVisible();
    await expect(page.getByText("Your order is pending confirmation.")).toBeVisible();
    const first = page.url();
    await expect(page.getByText("ada@example.org")).toBeVisible();
    await expectWithheldWithoutKey(browser, first);
    await page.getByRole("link", { name: "Skip to content" }).press("Enter");
    expect(page.url()).toBe(first);
    await fund(await openPopup(page, "Try payment again"));
    await expect(page).not.toHaveURL(first);
    expect(new URL(page.url()).hash).toBe(new URL(first).hash);
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByRole("button", { name: "Try payment again" })).toBeHidden();
  });

  test("(it lends half of what the order costs) the customer sees Contract not found and can pay again, and staff see a payment issue", async ({
    page,
    browser,
    shop,
  }) => {
    await openPlacedOrder(page, shop);
    const popup = await openPopup(page);
    await selectFailure(popup, "It lends half of what the order costs");
    await fund(popup);
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByRole("alert")).toHaveText("Contract not found.");
    await expect(page.getByText("the shop is notified and will contact you")).toBeVisible();
    await expect(page.getByText("It is confirmed as soon as")).toBeHidden();
    const loanId = new URL(page.url()).searchParams.get("contractId") ?? "";
    expect(await shop.cli("payment-issues", "list")).toContain(loanId);
    await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
    await expectNothingWithoutKey(browser, page.url());

    await fund(await openPopup(page, "Try payment again"));
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByRole("alert")).toBeHidden();
  });

  test("(the lender's API is down) the customer sees an error, and the order once it is available again", async ({
    page,
    shop,
  }) => {
    await shop.setSettings({ contact: "help@shop.example" });
    try {
      await openPlacedOrder(page, shop);
      const popup = await openPopup(page);
      await selectFailure(popup, "The lender's API is down for 20 seconds");
      await fund(popup);
      await shop.outage("down"); // Extends the 20 seconds, so that they cannot end before the check below.
      await page.getByRole("button", { name: "Complete Purchase" }).click();
      await expect(page.getByRole("alert")).toHaveText(
        "Could not connect websocket. Please check logs",
      );
      await expect(page.getByRole("link", { name: "help@shop.example" })).toHaveAttribute(
        "href",
        "mailto:help@shop.example",
      );
    } finally {
      await shop.outage("none");
      await shop.setSettings({ contact: null });
    }
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByRole("alert")).toBeHidden();
  });
});

test("the payment button of an unpaid order stands above the steps", async ({ page, shop }) => {
  const { link } = await placeUnpaidOrder(shop);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(link);
    const pay = page.getByRole("button", { name: "Finance with Bitcoin" });
    await expect(pay).toBeInViewport();
    await expect(async () => {
      const button = await pay.boundingBox();
      const steps = await page.getByRole("list", { name: "Progress" }).boundingBox();
      expect(button?.y).toBeLessThan(steps?.y ?? 0);
    }).toPass({ timeout: 5_000 });
  }
});
