import { newPostgres, newSqlite } from "./databases.ts";
import { alternately, medians } from "./measure.ts";
import { startRaw, startShop } from "./programs.ts";
import { atLeastRaw, atMostRaw, type Row } from "./row.ts";
import { wrk } from "./wrk.ts";

const ROUNDS = 5;
const CLIENTS = [64, 16];
const what = "the bare process";

/** Orders placed over HTTP, each durable when it is answered, beside `bench/raw/bare-shop.ts`. */
export async function orders(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of [newSqlite, newPostgres]) {
    const [database, bareDatabase] = [await newDatabase(), await newDatabase()];
    // The shop creates the tables and the items.
    await (await startShop({ DATABASE_URL: bareDatabase.url })).stop();
    const ours = await startShop({ DATABASE_URL: database.url });
    const bare = await startRaw("bare-shop", { DATABASE_URL: bareDatabase.url });
    for (const program of [ours, bare]) await wrk(program, 64, "order");
    for (const clients of CLIENTS) {
      const results = await alternately(
        ROUNDS,
        () => wrk(ours, clients, "order"),
        () => wrk(bare, clients, "order"),
      );
      const placed = `orders placed, ${database.name}, ${clients} clients`;
      const rate = medians(results, "perSecond", what);
      const p99 = medians(results, "p99", what);
      rows.push(
        { what: placed, unit: "/s", ...rate, budget: [atLeastRaw(0.8)] },
        { what: "the same: 99th percentile", unit: "ms", ...p99, budget: [atMostRaw(1.5)] },
      );
    }
    await Promise.all([ours.stop(), bare.stop()]);
    await Promise.all([database.remove(), bareDatabase.remove()]);
  }
  return rows;
}
