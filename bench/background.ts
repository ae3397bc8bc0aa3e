import { setTimeout as pause } from "node:timers/promises";
import { paths } from "@keepsats/protocol";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { alternately, medians } from "./measure.ts";
import { oneClient, type Requests, startShop } from "./programs.ts";
import { atMost, atMostRaw, type Row } from "./row.ts";
import { type Work, works } from "./works.ts";

const ROUNDS = 3;
/** In milliseconds; longer where the work of a round takes longer. */
const MEASURED = 700;

/** What one more customer does. */
const acts: Readonly<Record<string, Requests>> = {
  "GET /api/items": { what: [paths.items], headers: { "Accept-Encoding": "br" } },
  "an order placed": { what: "order" },
};

/** How long one more customer waits while the shop does other work: a part for each kind. */
export const background: Readonly<Record<string, () => Promise<Row[]>>> = Object.fromEntries(
  Object.entries(works).map(([name, work]) => [
    `while-${name}`,
    () => onEachDatabase((database) => rowsOn(work, database)),
  ]),
);

async function rowsOn(work: Work, database: BenchDatabase): Promise<Row[]> {
  const { env, start, begin, during, rest, end } = await work.prepare(database);
  await database.settle();
  const shop = await startShop({ DATABASE_URL: database.url, ...env });
  const alone = (requests: Requests) => oneClient(shop, requests, () => pause(MEASURED));
  async function besideWork(requests: Requests) {
    await begin?.(shop);
    const noticed = await oneClient(shop, requests, () =>
      Promise.all([pause(MEASURED), during?.(shop)]),
    );
    await rest?.();
    return noticed;
  }
  await start?.(shop);
  // Node compiles the server's code before anything is measured.
  for (const requests of Object.values(acts)) await alone(requests);
  const rows: Row[] = [];
  for (const [act, requests] of Object.entries(acts)) {
    const results = await alternately(
      ROUNDS,
      () => besideWork(requests),
      () => alone(requests),
    );
    const p99 = medians(results, "p99", "without that work");
    const what = `${act} while ${work.what}, ${database.name}: 99th percentile`;
    rows.push({ what, unit: "ms", ...p99, budget: [atMostRaw(2), atMost(5)] });
  }
  await shop.stop();
  await end?.();
  return rows;
}
