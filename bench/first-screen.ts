import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { median } from "./measure.ts";
import { type Row, within } from "./row.ts";
import { chromiumOptions, startShopWithDesk } from "./shop-in-browser.ts";

const ROUNDS = 5;
/**
 * A slow connection, as Chromium emulates it: milliseconds before each answer, and bytes a second.
 */
const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/**
 * How soon a first visit shows something, without a cache: the first text of the shop and the
 * checkout on a slow connection, and the desk's Today from this machine.
 */
export async function firstScreen(): Promise<Row[]> {
  const { shop, deskUrl, signIn } = await startShopWithDesk();
  const browser = await chromium.launch(await chromiumOptions());
  try {
    const rows: Row[] = [];
    for (const [screen, path] of [
      ["shop", "/"],
      ["checkout", "/checkout"],
    ] as const) {
      const ours = await firstVisits(browser, {}, (page) => firstText(page, shop.url + path));
      const what = `first text of the ${screen} page, 50 KB/s and 400 ms`;
      rows.push(within({ what, ours, unit: "s" }, { most: 1.2 }));
    }
    const signedIn = await browser.newContext();
    await signIn(await signedIn.newPage());
    const storageState = await signedIn.storageState();
    const ours = await firstVisits(browser, { storageState }, (page) =>
      todayIsShown(page, deskUrl),
    );
    rows.push(within({ what: "desk: Today is complete, signed in", ours, unit: "s" }, { most: 1 }));
    return rows;
  } finally {
    await browser.close();
    await shop.close();
  }
}

/** @returns the median of several visits, each with an empty cache, in seconds */
async function firstVisits(
  browser: Browser,
  options: BrowserContextOptions,
  visit: (page: Page) => Promise<number>,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext(options);
    times.push(await visit(await context.newPage()));
    await context.close();
  }
  return Number((median(times) / 1_000).toFixed(2));
}

/**
 * The first contentful paint, in milliseconds after the navigation began. The frame's text is in
 * it: no picture is there earlier.
 */
async function firstText(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slow);
  await page.goto(url, { waitUntil: "commit" });
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  );
  return Number(await paint.jsonValue());
}

/**
 * When Today shows what is to do and answers to a click, in milliseconds after the navigation
 * began.
 */
async function todayIsShown(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: "commit" });
  const shown = await page.waitForFunction(
    () => document.querySelector('section[aria-label="To do"]') !== null && performance.now(),
  );
  return Number(await shown.jsonValue());
}
