import { setTimeout as pause } from "node:timers/promises";
import { newSqlite } from "./databases.ts";
import { median } from "./measure.ts";
import { holdLoad, residentMemory, startOurs } from "./programs.ts";
import { type Row, within } from "./row.ts";

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const SAMPLE_EVERY = 5_000;
/**
 * The greatest ratio of the memory in the last third to that in the middle third: it may vary, but
 * must not grow.
 */
const MOST = 1.1;

/**
 * The memory of one process over ten minutes of visitors, orders, and followers who connect and
 * disconnect.
 */
export async function soak(): Promise<Row[]> {
  const database = await newSqlite();
  const ours = await startOurs({ DATABASE_URL: database.url });
  const held = await holdLoad("soak", { port: ours.port });
  const samples: number[] = [];
  const ends = performance.now() + MINUTES * 60_000;
  while (performance.now() < ends) {
    await pause(SAMPLE_EVERY);
    samples.push(residentMemory(ours.pid));
  }
  const { visits } = JSON.parse(await held.end());
  await ours.stop();
  await database.remove();
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [
    median(samples.slice(third, 2 * third)),
    median(samples.slice(2 * third)),
  ];
  return [
    within(
      {
        what: `memory in the last third of ${MINUTES} minutes (${visits} visits, ${Math.floor(visits / 4)} orders and followers), as a share of that in the middle third`,
        ours: Number((last / middle).toFixed(3)),
        unit: "",
      },
      { most: MOST },
    ),
    { what: "the same, in the last third", ours: Math.round(last), unit: "MB" },
  ];
}
