import type { BrowserContext, Page } from "@playwright/test";
import { openPlacedOrder } from "./fixtures/orders.ts";
import type { Shop } from "./fixtures/shop.ts";
import {
  clickAndWaitForClose,
  expect,
  fund,
  keepToasts,
  openPopup,
  placeOrder,
  selectFailure,
  test,
} from "./fixtures/test.ts";

const complete = (page: Page) => page.getByRole("button", { name: "Complete Purchase" });
const finance = (page: Page) => page.getByRole("button", { name: "Finance with Bitcoin" });

/** Makes the page remember the window that it opened last, for {@link forge}. */
async function keepOpened(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const open = window.open.bind(window);
    window.open = (...args) => {
      const opened = open(...args);
      Object.assign(window, { opened });
      return opened;
    };
  });
}

/** Delivers a message of the window that the page opened last, with a forged origin. */
function forge(page: Page, data: unknown, origin: string): Promise<void> {
  return page.evaluate(
    ([message, from]) => {
      const source = Reflect.get(window, "opened");
      window.dispatchEvent(
        new MessageEvent("message", { data: message, origin: String(from), source }),
      );
    },
    [data, origin] as const,
  );
}

/** Clicks the plain link. Returns the new tab. */
async function followLink(page: Page): Promise<Page> {
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Open it in a new tab" }).click(),
  ]);
  return tab;
}

/** Opens a page of the sandbox's origin that is not the pop-up. Returns the new window. */
async function openSandboxPage(page: Page, context: BrowserContext, shop: Shop): Promise<Page> {
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    page.evaluate((url) => void window.open(`${url}/look.css`, "other"), shop.sandboxUrl),
  ]);
  await opened.waitForLoadState();
  return opened;
}

/** Pays in the pop-up and expects that its contract was accepted, not the forged one. */
async function payAndComplete(page: Page, popup: Page): Promise<void> {
  await fund(popup);
  await complete(page).click();
  await expect(page).toHaveURL(/contractId=[0-9a-f-]{36}(?:&|#|$)/);
  expect(page.url()).not.toContain(success.contractId);
}

const success = { status: "success", contractId: "11111111-1111-4111-8111-111111111111" };

test("the pop-up receives amount, lender, order and code, no name, address or referrer, and is 500 × 700 in the centre", async ({
  page,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const features = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const open = window.open.bind(window);
        window.open = (url, name, given) => {
          const { screenX, screenY, outerWidth, outerHeight } = window;
          resolve(
            JSON.stringify({
              given,
              middle: [screenX + outerWidth / 2, screenY + outerHeight / 2],
            }),
          );
          return open(url, name, given);
        };
      }),
  );
  const requested = page
    .context()
    .waitForEvent("request", (request) => request.url().includes("lender_id="));
  const popup = await openPopup(page);
  const request = await requested;
  expect(request.url()).toBe(popup.url());
  expect((await request.allHeaders()).referer).toBeUndefined();
  const url = new URL(popup.url());
  const order: { id: string }[] = JSON.parse(await shop.cli("orders", "list", "--json"));
  const me: { id: string } = await (await page.request.get("/api/me")).json();
  expect(url.origin).toBe(shop.sandboxUrl);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    amount: "18.50",
    lender_id: me.id,
    order_id: expect.any(String),
    code: "beta",
  });
  expect(order.map(({ id }) => id)).toContain(url.searchParams.get("order_id"));
  const { given, middle } = JSON.parse(await features);
  const [, width, height, left, top] =
    /width=(\d+),height=(\d+),left=(-?\d+),top=(-?\d+)/.exec(given)?.map(Number) ?? [];
  expect([width, height]).toEqual([500, 700]);
  expect(Math.abs((left ?? 0) + 250 - middle[0])).toBeLessThanOrEqual(1);
  expect(Math.abs((top ?? 0) + 350 - middle[1])).toBeLessThanOrEqual(1);
});

test("a click after a reload opens a closed pop-up again, and focuses an open one as it is", async ({
  page,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const closed = await openPopup(page);
  const address = closed.url();
  await page.reload();
  await expect(finance(page)).toBeEnabled();
  await closed.close();
  const popup = await openPopup(page);
  expect(popup.url()).toBe(address);
  expect(await popup.evaluate(() => window.innerWidth)).toBe(500);

  await selectFailure(popup, "The lender rejects it");
  await page.reload();
  await finance(page).click();
  await popup.getByRole("button", { name: "Fund the collateral" }).click();
  await expect(popup.getByRole("heading", { name: "Loan rejected" })).toBeVisible();
  await expect(complete(page)).toBeEnabled();
});

test("a pop-up that is closed counts as cancelled, its error is only logged, and both times the payment can be retried", async ({
  page,
  console,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  await (await openPopup(page)).close();
  await expect
    .poll(() => console.lines.join("\n"))
    .toContain("Payment cancelled {reason: popup_closed}");
  await expect(complete(page)).toBeDisabled();
  await expect(finance(page)).toBeEnabled();

  const popup = await openPopup(page);
  await selectFailure(popup, "The pop-up fails with an error message");
  await popup.getByRole("button", { name: "Fund the collateral" }).click();
  await expect(popup.getByText("The lender refused the loan, as selected.")).toBeVisible();
  await expect
    .poll(() => console.lines.join("\n"))
    .toContain(
      "Payment error {code: sandbox_error, message: The lender refused the loan, as selected.}",
    );
  await clickAndWaitForClose(popup, "Back to shop");
  await expect(complete(page)).toBeDisabled();
  await fund(await openPopup(page));
  await expect(complete(page)).toBeEnabled();
});

test("a blocked pop-up is logged with its code, and the plain link works", async ({
  page,
  console,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  await page.evaluate(() => {
    window.open = () => null;
  });
  await finance(page).click();
  await expect
    .poll(() => console.lines.join("\n"))
    .toContain("Payment error {code: popup_blocked, message: Popup was blocked by the browser}");
  await expect(complete(page)).toBeDisabled();

  const tab = await followLink(page);
  await fund(tab);
  await expect(complete(page)).toBeEnabled();
  await expect(page.getByRole("link", { name: "Open it in a new tab" })).toBeHidden();
});

test.describe("a message is ignored", () => {
  test("from another origin, in another format, and from another window while a pop-up is open", async ({
    page,
    context,
    shop,
  }) => {
    await keepOpened(page);
    await openPlacedOrder(page, shop);
    const popup = await openPopup(page);
    for (const origin of [
      "https://evil.example",
      shop.url,
      `${shop.sandboxUrl}0`,
      `${shop.sandboxUrl}.evil.example`,
      "null",
      "",
    ]) {
      await forge(page, success, origin);
    }
    await expect(complete(page)).toBeDisabled();

    for (const message of [
      "success",
      null,
      { status: "success" },
      { status: "success", contractId: "" },
      { status: "success", contractId: 7 },
      { status: "SUCCESS", contractId: success.contractId },
      { type: "success", contractId: success.contractId },
      [success],
    ]) {
      await popup.evaluate((data) => window.opener.postMessage(data, "*"), message);
    }

    const other = await openSandboxPage(page, context, shop);
    await other.evaluate((message) => window.opener.postMessage(message, "*"), success);
    await other.evaluate(() => window.opener.postMessage({ status: "done" }, "*"));
    await payAndComplete(page, popup);
  });

  test("(control: the same message from the right origin is accepted)", async ({ page, shop }) => {
    await keepOpened(page);
    await openPlacedOrder(page, shop);
    await openPopup(page);
    await forge(page, success, shop.sandboxUrl);
    await expect(complete(page)).toBeEnabled();
  });
});

test("no listener and no timer is left after the pop-up is closed, on any screen", async ({
  page,
  shop,
}) => {
  await page.addInitScript(() => {
    const listeners = new Set<unknown>();
    const timers = new Set<unknown>();
    const { addEventListener, removeEventListener, setInterval, clearInterval } = window;
    window.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      if (args[0] === "message") listeners.add(args[1]);
      addEventListener.apply(window, args);
    };
    window.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      if (args[0] === "message") listeners.delete(args[1]);
      removeEventListener.apply(window, args);
    };
    Object.assign(window, {
      setInterval: (handler: () => void, delay: number) => {
        const timer = setInterval.call(window, handler, delay);
        if (delay === 50) timers.add(timer);
        return timer;
      },
      clearInterval: (timer: number) => {
        timers.delete(timer);
        clearInterval.call(window, timer);
      },
      left: () => [listeners.size, timers.size],
    });
  });
  const left = () => page.evaluate(() => Reflect.get(window, "left")());
  await openPlacedOrder(page, shop);
  expect(await left()).toEqual([0, 0]);
  const popup = await openPopup(page);
  expect(await left()).toEqual([1, 1]);
  await popup.close();
  await expect.poll(left).toEqual([0, 0]);
  const second = await openPopup(page);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
  expect(await left()).toEqual([1, 1]);
  await second.close();
  await expect.poll(left).toEqual([0, 0]);
});

test("a hostile pop-up cannot read the shop's page; it can only navigate the tab, which the address bar shows", async ({
  page,
  shop,
  console,
}) => {
  console.expect(/404/); // The hostile page does not exist.
  await openPlacedOrder(page, shop);
  const popup = await openPopup(page);
  const read = () => {
    try {
      return String(window.opener.location.href) + window.opener.document.title;
    } catch (error) {
      return error instanceof Error ? error.name : "";
    }
  };
  expect(await popup.evaluate(read)).toBe("SecurityError");
  await expect(page.getByText(`This page stays at ${new URL(shop.url).host}`)).toBeVisible();
  await popup.evaluate((url) => {
    window.opener.location = url;
  }, `${shop.sandboxUrl}/copy-of-the-shop`);
  await expect(page).toHaveURL(`${shop.sandboxUrl}/copy-of-the-shop`);
});

test("a payment is received after the customer has left the checkout, and after a reload", async ({
  page,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const popup = await openPopup(page);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await popup.getByRole("button", { name: "Fund the collateral" }).click();
  await expect(popup.getByRole("button", { name: "Back to shop" })).toBeVisible();
  await expect(popup.locator(":focus")).toContainText("Your loan is");
  await page.getByRole("link", { name: /^Cart/ }).click();
  await expect(complete(page)).toBeEnabled();
  await complete(page).click();
  await clickAndWaitForClose(popup, "Back to shop");
  await expect(page.getByText("Your payment")).toBeVisible();

  await openPlacedOrder(page, shop);
  const another = await openPopup(page);
  await page.reload();
  await expect(finance(page)).toBeEnabled();
  await fund(another);
  await expect(complete(page)).toBeEnabled();
});

test("a payment after a change of the cart still completes its order", async ({ page }) => {
  await placeOrder(page, "Enamel Mug");
  const popup = await openPopup(page);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
  await page.getByRole("button", { name: "Proceed to Checkout" }).click();
  await expect(page.getByRole("region", { name: "Order Summary" })).toContainText("Moka Pot");
  await page.getByLabel("City", { exact: true }).fill("Half a na");
  await fund(popup);
  await expect(complete(page)).toBeFocused();
  await expect(page.getByRole("region", { name: "Order Summary" })).not.toContainText("Moka Pot");
  await expect(page.getByText("Items that you added later are still in your cart.")).toBeVisible();
  await complete(page).click();
  await expect(page.getByRole("heading", { name: /^Order #/ })).toBeVisible();
  const summary = page.getByRole("region", { name: "Order Summary" });
  await expect(summary.getByText("1 × Enamel Mug")).toBeVisible();
  await expect(page.getByText("Moka Pot")).toBeHidden();
  await expect(page.getByTestId("cart-badge")).toHaveText("1 item");
  await page.getByRole("link", { name: /^Cart/ }).click();
  await expect(page.getByLabel("City", { exact: true })).toHaveValue("Half a na");
});

test("the checkout says that an item added before the payment is still in the cart", async ({
  page,
}) => {
  await placeOrder(page, "Enamel Mug");
  const popup = await openPopup(page);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
  await page.getByRole("button", { name: "Proceed to Checkout" }).click();
  await fund(popup);
  await expect(complete(page)).toBeFocused();
  await expect(page.getByText("Items that you added later are still in your cart.")).toBeVisible();
});

test("a payment while the shop page is shown is reported by a toast", async ({ page, shop }) => {
  await openPlacedOrder(page, shop);
  const popup = await openPopup(page);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await keepToasts(page);
  await fund(popup);
  await expect(page.getByText("Complete the purchase in your cart.")).toBeVisible();
});

test("the plain link works after the customer has left the checkout, and after a reload", async ({
  page,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const tab = await followLink(page);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
  await page.getByRole("link", { name: /^Cart/ }).click();
  await fund(tab);
  await complete(page).click();
  await expect(page.getByText("Your payment")).toBeVisible();

  await openPlacedOrder(page, shop);
  const another = await followLink(page);
  await page.reload();
  await expect(finance(page)).toBeEnabled();
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await fund(another);
  await page.getByRole("link", { name: /^Cart/ }).click();
  await expect(complete(page)).toBeEnabled();
});

test("the sandbox sends messages to the shop's origin only, not to another page that opens it", async ({
  page,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const popup = await openPopup(page);
  const url = popup.url();
  await popup.close();
  await page.goto(`${shop.sandboxUrl}/look.css`);
  const received = page.evaluate(
    (address) =>
      new Promise<number>((resolve) => {
        let messages = 0;
        window.addEventListener("message", () => {
          messages += 1;
        });
        const opened = window.open(address, "popup");
        setInterval(() => {
          if (opened?.document.getElementById("progress")) resolve(messages);
        }, 50);
      }),
    url,
  );
  const otherPopup = await page.waitForEvent("popup");
  await otherPopup.getByRole("button", { name: "Fund the collateral" }).click();
  expect(await received).toBe(0);
});
