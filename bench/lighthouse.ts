import { chromium } from "@playwright/test";
import runLighthouse, { type Flags } from "lighthouse";
import { freePort } from "../test/harness/free-port.ts";
import { median } from "./measure.ts";
import { type Row, within } from "./row.ts";
import { chromiumOptions, startShopWithDesk } from "./shop-in-browser.ts";

const ROUNDS = 5;
const categories = ["performance", "accessibility", "best-practices", "seo"];
/**
 * The desk is for the shop's staff: how fast it is has a row of its own, and no search engine may
 * find it.
 */
const deskCategories = ["accessibility", "best-practices"];
const shiftAudit = "cumulative-layout-shift";

interface Scores {
  /** From 0 to 100, by category. */
  readonly categories: ReadonlyMap<string, number>;
  /** How far the content of the page moved, as Lighthouse counts it. */
  readonly shift: number;
}

/**
 * Lighthouse with its mobile profile on the real product: the medians of several rounds of the shop
 * page and the checkout, and the desk's sign-in page and Today.
 */
export async function lighthouse(): Promise<Row[]> {
  const port = await freePort();
  const { shop, deskUrl, signIn } = await startShopWithDesk();
  // Lighthouse opens its pages in the browser's own profile, so the desk's cookie must be there.
  const profile = await chromium.launchPersistentContext("", {
    ...(await chromiumOptions(`--remote-debugging-port=${port}`)),
  });
  try {
    const rows = [
      ...(await shopRows("shop page", shop.url, port)),
      ...(await shopRows("checkout", `${shop.url}/checkout`, port)),
      ...deskRows(
        "sign-in page",
        await measured(deskUrl, { port, onlyCategories: deskCategories }),
      ),
    ];
    await signIn(await profile.newPage());
    const today = await measured(deskUrl, {
      port,
      onlyCategories: deskCategories,
      disableStorageReset: true,
    });
    return [...rows, ...deskRows("Today", today)];
  } finally {
    await profile.close();
    await shop.close();
  }
}

async function shopRows(page: string, url: string, port: number): Promise<Row[]> {
  const rounds: Scores[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push(await measured(url, { port, onlyCategories: categories }));
  const scores = categories.map((category) => {
    const score = median(rounds.map((one) => one.categories.get(category) ?? 0));
    return within(
      { what: `Lighthouse, mobile, ${page}: ${category}`, ours: score, unit: "" },
      { least: 100 },
    );
  });
  const shift = Math.max(...rounds.map((round) => round.shift));
  return [
    ...scores,
    within({ what: `layout shift of the ${page}`, ours: shift, unit: "" }, { most: 0 }),
  ];
}

function deskRows(page: string, { categories: scores }: Scores): Row[] {
  return deskCategories.map((category) =>
    within(
      {
        what: `Lighthouse, mobile, desk, ${page}: ${category}`,
        ours: scores.get(category) ?? 0,
        unit: "",
      },
      { least: 100 },
    ),
  );
}

/** Runs Lighthouse once, and prints what cost points. */
async function measured(url: string, flags: Flags): Promise<Scores> {
  const result = await runLighthouse(url, { ...flags, logLevel: "error", output: "json" });
  const { categories: found = {}, audits = {} } = result?.lhr ?? {};
  for (const { id, title, score, displayValue = "" } of Object.values(audits))
    if (score !== null && score < 0.9) console.log(`  ${id}: ${title} ${displayValue}`);
  return {
    categories: new Map(
      Object.entries(found).map(([name, one]) => [name, Math.round((one.score ?? 0) * 100)]),
    ),
    shift: Number((audits[shiftAudit]?.numericValue ?? 1).toFixed(3)),
  };
}
