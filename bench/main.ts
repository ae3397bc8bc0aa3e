import "../scripts/require-node.mjs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { requireChromium } from "../scripts/find-chromium.ts";
import { requireServers } from "../scripts/find-servers.ts";
import { requireTools } from "../scripts/require-tools.ts";
import { abuse } from "./abuse.ts";
import { endDatabases } from "./databases.ts";
import { firstScreen } from "./first-screen.ts";
import { delivery, followers } from "./followers.ts";
import { footprint } from "./footprint.ts";
import { growth } from "./growth.ts";
import { items } from "./items.ts";
import { lighthouse } from "./lighthouse.ts";
import { notify } from "./notify.ts";
import { orders } from "./orders.ts";
import { pageWeight } from "./page-weight.ts";
import { processes } from "./processes.ts";
import type { Row } from "./row.ts";
import { search } from "./search.ts";
import { removeSettings } from "./settings.ts";
import { soak } from "./soak.ts";
import { waiting } from "./waiting.ts";

/** The parts of the benchmark; `npm run bench -- NAME …` runs single ones. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  items,
  orders,
  processes,
  notify,
  footprint,
  followers,
  delivery,
  growth,
  search,
  ...waiting,
  abuse,
  soak,
  "page-weight": pageWeight,
  "first-screen": firstScreen,
  lighthouse,
};

const wanted = process.argv.slice(2);
const needsBrowser =
  wanted.length === 0 || wanted.some((name) => ["first-screen", "lighthouse"].includes(name));
await requireTools(requireServers, ...(needsBrowser ? [requireChromium] : []));
const unknown = wanted.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no part "${unknown[0]}"; there are: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
const rows: (Row & { part: string })[] = [];
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void end().then(() => process.exit(1)));
try {
  for (const [part, run] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(part)) continue;
    console.log(`measuring ${part} …`);
    rows.push(...(await run()).map((row) => ({ part, ...row })));
  }
} finally {
  await end();
}

console.table(rows.map(shown));
const folder = join(import.meta.dirname, "results");
await mkdir(folder, { recursive: true });
const machine = { processor: cpus()[0]?.model, cores: cpus().length, node: process.version };
const results = { at: new Date().toISOString(), machine, rows };
await writeFile(join(folder, "latest.json"), `${JSON.stringify(results, null, 2)}\n`);
if (rows.some(({ promise }) => promise?.kept === false)) process.exitCode = 1;
process.exit();

/** Stops the servers and removes the files of all parts. */
async function end(): Promise<void> {
  await endDatabases();
  removeSettings();
}

function shown({ what, ours, unit, raw, ratio, promise }: Row) {
  return {
    what,
    ours: `${ours.toLocaleString("en")} ${unit}`,
    "raw limit": raw === undefined ? "" : `${raw.value.toLocaleString("en")} ${unit}: ${raw.what}`,
    ratio: ratio === undefined ? "" : ratio.toFixed(2),
    promised: promise?.text ?? "",
    kept: promise === undefined ? "" : promise.kept ? "yes" : "NO",
  };
}
