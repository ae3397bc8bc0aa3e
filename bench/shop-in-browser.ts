import { randomUUID } from "node:crypto";
import { deskLinkSchema } from "@keepsats/protocol";
import type { LaunchOptions, Page } from "@playwright/test";
import { type Shop, startShop } from "../e2e/fixtures/shop.ts";
import { requireChromium } from "../scripts/find-chromium.ts";
import { freePort } from "../test/harness/free-port.ts";

/** A running shop and its desk, as processes of their own. */
export interface ShopWithDesk {
  readonly shop: Shop;
  readonly deskUrl: string;
  /** Signs a page in as the owner; it shows Today then. */
  signIn(page: Page): Promise<void>;
}

/** Starts the shop with the sample catalogue, its desk and the sandbox lender. */
export async function startShopWithDesk(): Promise<ShopWithDesk> {
  const [token, port] = [randomUUID(), await freePort()];
  const shop = await startShop({ env: { MERCHANT_TOKEN: token, DESK_PORT: String(port) } });
  return {
    shop,
    deskUrl: `http://localhost:${port}`,
    async signIn(page) {
      const response = await fetch(`${shop.url}/api/merchant/desk-links`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      await page.goto(deskLinkSchema.parse(await response.json()).link);
      await page.getByRole("button", { name: /^Sign in as / }).click();
      await page.getByRole("region", { name: "To do" }).waitFor();
    },
  };
}

/** How Chromium is started. @param args further arguments of its command line */
export async function chromiumOptions(...args: string[]): Promise<LaunchOptions> {
  const isRoot = process.getuid?.() === 0;
  return {
    executablePath: await requireChromium(),
    args: [...args, ...(isRoot ? ["--no-sandbox"] : [])],
  };
}
