import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { requireNode } from "../scripts/require-node.ts";
import { lighthouse } from "./lighthouse.ts";
import { pageWeight } from "./page-weight.ts";
import type { Row } from "./row.ts";

/** The parts of the bench; `npm run bench -- NAME …` runs some of them alone. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = { "page-weight": pageWeight, lighthouse };

requireNode();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no part "${unknown[0]}"; there are: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`measuring ${name} …`);
  rows.push(...(await run()));
}
console.table(
  rows.map(({ what, ours, promised, kept }) => ({ what, ours, promised, kept: kept ? "yes" : "NO" })),
);
const folder = join(import.meta.dirname, "results");
await mkdir(folder, { recursive: true });
await writeFile(join(folder, "latest.json"), `${JSON.stringify(rows, null, 2)}\n`);
if (rows.some(({ kept }) => !kept)) process.exitCode = 1;
