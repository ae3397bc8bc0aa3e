import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Row, within } from "./row.ts";

const assets = join(import.meta.dirname, "../apps/web/dist/assets");
const KB = 1_000;

/** The size of the built pages, compressed with brotli. */
export async function pageWeight(): Promise<Row[]> {
  const index = await readFile(join(assets, "../index.html"), "utf8");
  const [entry = ""] = /[\w-]+\.js/.exec(index.slice(index.indexOf("/assets/"))) ?? [];
  const entryCode = await readFile(join(assets, entry), "utf8");
  const checkout = /checkout-[\w-]+\.js/.exec(entryCode)?.[0] ?? "";
  return [await row("shop page, JavaScript", entry, 100), await row("checkout's own chunk", checkout, 45)];
}

async function row(what: string, file: string, limit: number): Promise<Row> {
  const { size } = await stat(join(assets, `${file}.br`));
  return within(
    { what: `${what}, over the wire`, ours: Number((size / KB).toFixed(1)), unit: "KB" },
    { most: limit },
  );
}
