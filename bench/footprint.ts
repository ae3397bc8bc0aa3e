import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { byTurns, median } from "./measure.ts";
import { type Program, residentMemory, startOurs, startRaw } from "./programs.ts";
import { type Row, within } from "./row.ts";

const ROUNDS = 7;

interface Footprint {
  readonly seconds: number;
  readonly megabytes: number;
}

/** The time from the start of one process to its first answer, and its memory after it. */
export async function footprint(): Promise<Row[]> {
  return onEachDatabase(footprintOn);
}

async function footprintOn({ name, url }: BenchDatabase): Promise<Row[]> {
  // The first start creates the tables and the compile cache.
  await measure(() => startOurs({ DATABASE_URL: url }));
  const { one: ours, other: raw } = await byTurns(
    ROUNDS,
    () => measure(() => startOurs({ DATABASE_URL: url })),
    () => measure(() => startRaw("node-http")),
  );
  const seconds = (all: readonly Footprint[]) =>
    Number(median(all.map(({ seconds }) => seconds)).toFixed(3));
  const megabytes = (all: readonly Footprint[]) =>
    Math.round(median(all.map(({ megabytes }) => megabytes)));
  return [
    within(
      { what: `process start → first answer, ${name}`, ours: seconds(ours), unit: "s" },
      { most: 0.4 },
      { what: "node:http", value: seconds(raw) },
    ),
    within(
      { what: `idle memory after the first answer, ${name}`, ours: megabytes(ours), unit: "MB" },
      { most: 100 },
      { what: "node:http", value: megabytes(raw) },
    ),
  ];
}

async function measure(start: () => Promise<Program>): Promise<Footprint> {
  const begun = performance.now();
  const program = await start();
  const response = await fetch(`http://127.0.0.1:${program.port}/api/items`);
  await response.arrayBuffer();
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = residentMemory(program.pid);
  await program.stop();
  return { seconds, megabytes };
}
