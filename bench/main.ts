import "../scripts/require-node.mjs";
import { parseArgs } from "node:util";
import { requireChromium } from "../scripts/find-chromium.ts";
import { findProgram, requirePrograms } from "../scripts/programs.ts";
import { buildStaleParts } from "../scripts/stale-builds.ts";
import { requireTestPrograms } from "../scripts/test-programs.ts";
import { background } from "./background.ts";
import { endDatabases, startDatabases } from "./databases.ts";
import { footprint } from "./footprint.ts";
import { growth } from "./growth.ts";
import { cellsOf, type Row } from "./measure.ts";
import { lighthouse, pageSizes } from "./pages.ts";
import { processes } from "./processes.ts";
import { pin } from "./programs.ts";
import { subscribers } from "./subscribers.ts";
import { items, orders } from "./throughput.ts";

type Parts = Readonly<Record<string, () => Promise<Row[]>>>;

/** The measured program runs on the first core, this process and its load on the second. */
const pinned: Parts = { items, orders, subscribers, ...background, growth, footprint };
/** These use all cores. */
const free: Parts = { processes, "page-sizes": pageSizes, lighthouse };

// `--short` is read in measure.ts.
const { positionals: wanted } = parseArgs({
  options: { short: { type: "boolean" } },
  allowPositionals: true,
});
const names = Object.keys({ ...pinned, ...free });
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}"; there are: ${names.join(", ")}`);
  process.exit(2);
}
await requirePrograms(
  () => requireTestPrograms("postgres", "redis", "haproxy"),
  requireWrk,
  requireChromium,
);
await buildStaleParts();
await startDatabases();
const rows: Row[] = [];
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void endDatabases().then(() => process.exit(1)));
try {
  pin(process.pid, 1);
  await measure(pinned);
  pin(process.pid, "all");
  await measure(free);
} finally {
  await endDatabases();
}
const table = rows.map(cellsOf);
console.table(table);
process.exit(table.some(({ kept }) => kept === "NO") ? 1 : 0);

async function measure(parts: Parts): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`measuring ${name} …`);
    rows.push(...(await part()));
  }
}

function requireWrk(): void {
  if (findProgram(["wrk"]) === undefined)
    throw new Error("The benchmark needs wrk: apt install wrk, or brew install wrk");
}
