import { paths } from "@keepsats/protocol";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { alternately, medians } from "./measure.ts";
import { type Program, residentMemory, startRaw, startShop } from "./programs.ts";
import { atMost, type Row } from "./row.ts";

const ROUNDS = 7;
const what = "node:http";

/** The time from the start of one process to its first answer, and its memory after it. */
export async function footprint(): Promise<Row[]> {
  return onEachDatabase(footprintOn);
}

async function footprintOn({ name, url }: BenchDatabase): Promise<Row[]> {
  const ours = () => measure(() => startShop({ DATABASE_URL: url }));
  // The first start creates the tables and the compile cache.
  await ours();
  const results = await alternately(ROUNDS, ours, () => measure(() => startRaw("node-http")));
  const seconds = medians(results, "seconds", what);
  const megabytes = medians(results, "megabytes", what);
  return [
    { what: `start → first answer, ${name}`, unit: "s", ...seconds, budget: [atMost(0.4)] },
    { what: `idle memory after it, ${name}`, unit: "MB", ...megabytes, budget: [atMost(100)] },
  ];
}

async function measure(start: () => Promise<Program>) {
  const begun = performance.now();
  const program = await start();
  const response = await fetch(program.url + paths.items);
  await response.arrayBuffer();
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = residentMemory(program.pid);
  await program.stop();
  return { seconds, megabytes };
}
