import { paths } from "@keepsats/protocol";
import { onEachDatabase } from "./databases.ts";
import { alternately, atMost, medians, type Row } from "./measure.ts";
import { type Program, residentMemory, startRaw, startShop } from "./programs.ts";

const ROUNDS = 7;
const rawName = "node:http";

/** The time from the start of a process to its first answer, and its memory after that. */
export function footprint(): Promise<Row[]> {
  return onEachDatabase(async ({ name, url }) => {
    const ours = () => measure(() => startShop({ DATABASE_URL: url }));
    // The first start creates the tables and the compile cache.
    await ours();
    const results = await alternately(ROUNDS, ours, () => measure(() => startRaw("node-http")));
    const seconds = medians(results, "seconds", rawName);
    const megabytes = medians(results, "megabytes", rawName);
    return [
      { name: `start → first answer, ${name}`, unit: "s", ...seconds, budget: [atMost(0.4)] },
      { name: `idle memory after it, ${name}`, unit: "MB", ...megabytes, budget: [atMost(100)] },
    ];
  });
}

async function measure(start: () => Promise<Program>) {
  const begin = performance.now();
  const program = await start();
  const response = await fetch(program.url + paths.items);
  await response.arrayBuffer();
  const seconds = (performance.now() - begin) / 1000;
  const megabytes = residentMemory(program.pid);
  await program.stop();
  return { seconds, megabytes };
}
