import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import runLighthouse from "lighthouse";
import { startShop } from "../e2e/fixtures/shop.ts";
import { requireChromium } from "../scripts/find-chromium.ts";
import { placeOrder } from "../test/harness/customer.ts";
import { freePort } from "../test/harness/network.ts";
import { atLeast, atMost, median, type Row, unlessShort } from "./measure.ts";

const ROUNDS = 5;
const storefront = join(import.meta.dirname, "../apps/storefront/dist");
const admin = join(import.meta.dirname, "../apps/admin/dist");
const categories = ["performance", "accessibility", "best-practices", "seo"];

/** The JavaScript of both web apps as browsers receive it. */
export async function pageSizes(): Promise<Row[]> {
  const page = await readFile(join(storefront, "index.html"), "utf8");
  // The prerendered pages behind it name the chunks of other screens.
  const [head = ""] = page.split("<!-- page ");
  const first = [...head.matchAll(/(?:src|href)="\/(assets\/[\w.-]+\.js)"/g)];
  const scripts = first.map(([, script = ""]) => join(storefront, script));
  // The folder has the scripts of earlier builds too.
  const built: unknown = JSON.parse(await readFile(join(admin, "files.json"), "utf8"));
  const files = Array.isArray(built) ? built.map((file) => join(admin, String(file))) : [];
  return [
    await sizeOf("storefront, JavaScript of the first page, brotli", scripts, 100),
    await sizeOf(
      "admin, all JavaScript, brotli",
      files.filter((file) => file.endsWith(".js")),
      250,
    ),
  ];
}

async function sizeOf(name: string, scripts: readonly string[], max: number): Promise<Row> {
  const files = await Promise.all(scripts.map((script) => stat(`${script}.br`)));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { name, ours: Number((bytes / 1_000).toFixed(1)), unit: "KB", budget: [atMost(max)] };
}

/** Lighthouse with its mobile profile on the pages that customers see: medians of five rounds. */
export async function lighthouse(): Promise<Row[]> {
  const [port, shop] = [await freePort(), await startShop()];
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: [`--remote-debugging-port=${port}`, ...(isRoot ? ["--no-sandbox"] : [])],
  });
  const { id, key } = await placeOrder(shop);
  const rows = [
    ...(await scores("shop page", shop.url, port)),
    ...(await scores("checkout", `${shop.url}/checkout`, port)),
    ...(await scores("order page", `${shop.url}/order?orderId=${id}#key=${key}`, port)),
  ];
  await Promise.all([browser.close(), shop.close()]);
  return rows;
}

async function scores(page: string, url: string, port: number): Promise<Row[]> {
  const found = new Map<string, number[]>(categories.map((category) => [category, []]));
  for (let round = 0; round < unlessShort(ROUNDS); round += 1) {
    const result = await runLighthouse(url, {
      port,
      onlyCategories: categories,
      logLevel: "error",
    });
    for (const [category, values] of found)
      values.push(100 * (result?.lhr.categories[category]?.score ?? 0));
  }
  return [...found].map(([category, values]) => ({
    name: `Lighthouse, ${page}: ${category}`,
    ours: median(values),
    unit: "",
    budget: [atLeast(100)],
  }));
}
