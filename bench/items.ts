import { paths } from "@keepsats/protocol";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { alternately, medians } from "./measure.ts";
import { startRaw, startShop } from "./programs.ts";
import { atLeastRaw, type Row } from "./row.ts";
import { wrk } from "./wrk.ts";

const ROUNDS = 5;

/** `GET /api/items` of the sample catalogue beside bare node:http with the same bytes. */
export function items(): Promise<Row[]> {
  return onEachDatabase(listing);
}

async function listing(database: BenchDatabase): Promise<Row[]> {
  const ours = await startShop({ DATABASE_URL: database.url });
  const bare = await startRaw("node-http", { ANSWER_OF: ours.url + paths.items });
  const results = await alternately(
    ROUNDS,
    () => wrk(ours, 50, paths.items),
    () => wrk(bare, 50, paths.items),
  );
  await Promise.all([ours.stop(), bare.stop()]);
  const rate = medians(results, "perSecond", "node:http, the same bytes");
  const what = `GET /api/items, ${database.name}`;
  return [{ what, unit: "/s", ...rate, budget: [atLeastRaw(0.9)] }];
}
