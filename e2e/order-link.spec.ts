import type { Page } from "@playwright/test";
import { payOrder, storePlacedOrder } from "./fixtures/orders.ts";
import { ordersButton, placeAndOpen } from "./fixtures/saved-orders.ts";
import { customer, expect, fund, openPopup, selectFailure, test } from "./fixtures/test.ts";

test.describe("the order link", () => {
  test("shows the order before there is a loan, and the key is in no URL that is sent to a server", async ({
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
    await expect(page.getByText(customer.Email)).toBeVisible();
    await page.reload();
    await expect(page.getByText(customer.Email)).toBeVisible();
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
    const key = (await storedKey(page)) ?? "no key";
    expect(requests.filter((request) => request.includes(key))).toEqual([]);
  });

  test("with the key of another order shows Order not found, and without a key stays Loading, also in the browser that placed it", async ({
    page,
    shop,
  }) => {
    const { id } = await storePlacedOrder(page, shop);
    await page.goto(`/order?orderId=${id}#key=AAAAAAAAAAAAAAAAAAAAAA`);
    await expect(page.getByRole("alert")).toHaveText("Order not found.");
    await expect(page.getByText("1 × Enamel Mug")).toBeHidden();
    for (const name of ["Copy link", "Print order", "Cancel order", "Correct address"])
      await expect(page.getByRole("button", { name })).toBeHidden();

    await page.goto(`/order?orderId=${id}`);
    await expect(page.getByText("Loading order status...")).toBeVisible();
    await expect(page.getByText("This link is incomplete.")).toBeVisible();
  });

  test("is completed with the key of the saved order, and copied with it", async ({
    page,
    context,
    browser,
    shop,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const order = await storePlacedOrder(page, shop);
    const loanId = await payOrder(shop, order);
    const withoutKey = `/order?orderId=${order.id}&contractId=${loanId}`;
    const orderUrl = `${shop.url}${withoutKey}#key=${order.key}`;
    await page.goto(withoutKey);
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    for (const name of ["Print receipt", "Correct address"])
      await expect(page.getByRole("button", { name })).toBeVisible();
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(orderUrl);
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(orderUrl);
    await expect(visitor.getByRole("button", { name: "Print receipt" })).toBeVisible();
    await expect(ordersButton(visitor), "the order is not saved in that browser").toBeHidden();
    await visitor.goto(withoutKey);
    await expect(visitor.getByText("Your payment has been processed")).toBeVisible();
    for (const name of ["Print receipt", "Correct address"])
      await expect(visitor.getByRole("button", { name })).toBeHidden();
    await visitor.context().close();

    const key = (await storedKey(page)) ?? "no key";
    await replaceInStorage(page, key, "A".repeat(key.length));
    await page.goto(withoutKey);
    await expect.poll(() => storedKey(page), "a revoked key is forgotten").toBeUndefined();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    for (const name of ["Print receipt", "Correct address"])
      await expect(page.getByRole("button", { name })).toBeHidden();
  });

  test("without the key offers to cancel, to correct and to pay again only in the browser that saved the order", async ({
    page,
    browser,
    shop,
  }) => {
    const { id, link } = await storePlacedOrder(page, shop);
    await page.goto(link);
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
    await expect(page.getByText(customer.Email)).toBeVisible();

    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(origin + pathname + search);
    await expect(visitor.getByRole("heading", { name: /^Order #/ })).toBeVisible();
    await expect(visitor.getByText("Shown once the order is paid")).toHaveCount(2);
    for (const name of controls) await expect(visitor.getByRole("button", { name })).toBeHidden();
    await expect(visitor.getByText(customer.Email)).toBeHidden();
    await visitor.context().close();

    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByText("Your order has been cancelled.")).toBeVisible();
  });
});

/** Replaces a text in the saved orders. */
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
