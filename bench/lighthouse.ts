import { chromium } from "@playwright/test";
import runLighthouse from "lighthouse";
import { startShop } from "../e2e/fixtures/shop.ts";
import { requireChromium } from "../scripts/find-chromium.ts";
import { freePort } from "../test/harness/free-port.ts";
import { median } from "./measure.ts";
import { type Row, within } from "./row.ts";

const ROUNDS = 3;
const promises: Readonly<Record<string, number>> = {
  performance: 95,
  accessibility: 100,
  "best-practices": 100,
  seo: 100,
};

/** Lighthouse with its mobile profile on the shop page of the real product: the median of several rounds. */
export async function lighthouse(): Promise<Row[]> {
  const port = await freePort();
  const shop = await startShop();
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  try {
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await scores(shop.url, port));
    return Object.entries(promises).map(([category, least]) => {
      const score = median(rounds.map((round) => round[category] ?? 0));
      return within({ what: `Lighthouse, mobile, shop page: ${category}`, ours: score, unit: "" }, { least });
    });
  } finally {
    await browser.close();
    await shop.close();
  }
}

async function scores(url: string, port: number): Promise<Record<string, number>> {
  const result = await runLighthouse(url, { port, logLevel: "error", output: "json" });
  const categories = Object.entries(result?.lhr.categories ?? {});
  const faults = Object.values(result?.lhr.audits ?? {}).filter(({ score }) => score !== null && score < 0.9);
  for (const { id, title, displayValue = "" } of faults) console.log(`  ${id}: ${title} ${displayValue}`);
  return Object.fromEntries(categories.map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]));
}
