import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Row, within } from "./row.ts";

const assets = join(import.meta.dirname, "../apps/web/dist/assets");
const desk = join(import.meta.dirname, "../apps/desk/dist");
const KB = 1_000;

/** The size of the built pages, compressed with brotli. */
export async function pageWeight(): Promise<Row[]> {
  const page = await readFile(join(assets, "../index.html"), "utf8");
  // The entry and what it imports: the page names all of them. The frames name the chunks of other
  // screens.
  const [head = ""] = page.split("<!-- frame ");
  const scripts = [...head.matchAll(/(?:src|href)="\/assets\/([\w.-]+\.js)"/g)].map(
    ([, name = ""]) => name,
  );
  const code = await Promise.all(scripts.map((name) => readFile(join(assets, name), "utf8")));
  const checkout = /checkout-[\w-]+\.js/.exec(code.join())?.[0] ?? "";
  return [
    await row("shop page, JavaScript", scripts, 100),
    await row("checkout's own chunk", [checkout], 45),
    weightRow("the desk, all JavaScript", await sizeOf(desk, await deskScripts()), 250),
  ];
}

/** All scripts of the desk's present build; the folder has those of earlier builds too. */
async function deskScripts(): Promise<string[]> {
  const files: unknown = JSON.parse(await readFile(join(desk, "files.json"), "utf8"));
  if (!Array.isArray(files)) throw new Error("the desk is not built");
  return files.map(String).filter((file) => file.endsWith(".js"));
}

async function row(what: string, files: readonly string[], limit: number): Promise<Row> {
  return weightRow(what, await sizeOf(assets, files), limit);
}

/** The size of files with brotli, in bytes. */
async function sizeOf(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(folder, `${file}.br`))).size),
  );
  return sizes.reduce((sum, one) => sum + one, 0);
}

function weightRow(what: string, size: number, limit: number): Row {
  return within(
    { what: `${what}, over the wire`, ours: Number((size / KB).toFixed(1)), unit: "KB" },
    { most: limit },
  );
}
