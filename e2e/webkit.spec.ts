import { expect, test } from "@playwright/test";
import { startShop } from "./fixtures/shop.ts";
import { customer, skipWithout } from "./fixtures/test.ts";
import { startWebkit } from "./fixtures/webkit.ts";

const button = (name: string) =>
  `//button[starts-with(normalize-space(), "${name}")][not(@disabled)]`;
const field = (label: string) => `//input[@id=//label[normalize-space()="${label}"]/@for]`;
const text = (part: string) => `//*[contains(text(), "${part}")]`;

test("a customer buys, pays and follows the order to Shipped in WebKit", async () => {
  skipWithout("webkit", "xvfb");
  const [shop, page] = await Promise.all([startShop(), startWebkit()]);
  try {
    await page.open(shop.url);
    await page.click(button("Add to Cart Moka Pot"));
    await page.see(text("Total: "));
    await page.click(button("Proceed to Checkout"));
    for (const [label, value] of Object.entries(customer)) await page.type(field(label), value);
    await page.click(button("Place Order"));
    await page.see(text("Your order is placed."));
    const popupClosed = await page.clickToPopup(button("Finance with Bitcoin"));
    await page.click(button("Fund the collateral"));
    await page.see(text("Your loan is paid out"));
    await page.click(button("Back to shop"));
    await popupClosed();
    await page.click(button("Complete Purchase"));
    await page.see(text("Your payment has been processed."));
    const { pathname, searchParams, hash } = new URL(await page.url());
    expect([pathname, [...searchParams.keys()], hash]).toEqual([
      "/order",
      ["orderId", "contractId"],
      expect.stringMatching(/^#key=[\w-]{22}$/),
    ]);
    await shop.cli("orders", "ship", (searchParams.get("orderId") ?? "").slice(0, 8));
    await page.see(text("Your order has been shipped!"));
  } finally {
    await Promise.all([page.close(), shop.close()]);
  }
});
