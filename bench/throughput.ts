import { paths } from "@keepsats/protocol";
import { onEachDatabase } from "./databases.ts";
import { alternately, atLeastRaw, atMostRaw, medians, type Row } from "./measure.ts";
import { startRaw, startShop } from "./programs.ts";
import { wrk } from "./wrk.ts";

const ROUNDS = 5;
const CLIENTS = [64, 16];
const bareName = "the bare process";

/** `GET /api/items` of the sample catalogue, compared with bare node:http and the same bytes. */
export function items(): Promise<Row[]> {
  return onEachDatabase(async (database) => {
    const ours = await startShop({ DATABASE_URL: database.url });
    const bare = await startRaw("node-http", { ANSWER_OF: ours.url + paths.items });
    const results = await alternately(
      ROUNDS,
      () => wrk(ours, 50, paths.items),
      () => wrk(bare, 50, paths.items),
    );
    await Promise.all([ours.stop(), bare.stop()]);
    const rate = medians(results, "perSecond", "node:http, the same bytes");
    const name = `GET /api/items, ${database.name}`;
    return [{ name, unit: "/s", ...rate, budget: [atLeastRaw(0.9)] }];
  });
}

/** Orders placed over HTTP, each durable when answered, compared with `bench/raw/bare-shop.ts`. */
export function orders(): Promise<Row[]> {
  return onEachDatabase(async (database, newDatabase) => {
    const { url } = await newDatabase();
    // The shop creates the tables and the items.
    await (await startShop({ DATABASE_URL: url })).stop();
    const ours = await startShop({ DATABASE_URL: database.url });
    const bare = await startRaw("bare-shop", { DATABASE_URL: url });
    for (const program of [ours, bare]) await wrk(program, 64, "order");
    const rows: Row[] = [];
    for (const clients of CLIENTS) {
      const results = await alternately(
        ROUNDS,
        () => wrk(ours, clients, "order"),
        () => wrk(bare, clients, "order"),
      );
      const placed = `orders placed, ${database.name}, ${clients} clients`;
      const rate = medians(results, "perSecond", bareName);
      const p99 = medians(results, "p99", bareName);
      rows.push(
        { name: placed, unit: "/s", ...rate, budget: [atLeastRaw(0.8)] },
        { name: "the same: 99th percentile", unit: "ms", ...p99, budget: [atMostRaw(1.5)] },
      );
    }
    await Promise.all([ours.stop(), bare.stop()]);
    return rows;
  });
}
