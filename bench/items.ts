import { paths } from "@keepsats/protocol";
import { type BenchDatabase, newPostgres, newSqlite } from "./databases.ts";
import { alternately, medians, unlessShort } from "./measure.ts";
import { asMerchant, type Program, startRaw, startShop } from "./programs.ts";
import { atLeastRaw, type Row } from "./row.ts";
import { numberedItems } from "./seed.ts";
import { wrk } from "./wrk.ts";

const ROUNDS = 5;
const SAMPLE_ITEMS = 12;

/** `GET /api/items` beside bare node:http with the same bytes and headers. */
export async function items(): Promise<Row[]> {
  return [
    await listing(await newSqlite(), SAMPLE_ITEMS),
    await listing(await newSqlite(), 1_000),
    await listing(await newPostgres(), SAMPLE_ITEMS),
  ];
}

async function listing(database: BenchDatabase, count: number): Promise<Row> {
  const ours = await startShop({ DATABASE_URL: database.url });
  if (count > SAMPLE_ITEMS) {
    const items = numberedItems(count - SAMPLE_ITEMS, 45);
    await asMerchant(ours, "POST", paths.merchant.import, { items });
  }
  const bare = await startRaw("node-http", { ANSWER_OF: ours.url + paths.items });
  const measure = ({ port }: Program) =>
    wrk({ port, connections: 50, seconds: unlessShort(3), what: paths.items });
  const results = await alternately(
    ROUNDS,
    () => measure(ours),
    () => measure(bare),
  );
  await Promise.all([ours.stop(), bare.stop()]);
  await database.remove();
  const rate = medians(results, "perSecond", { what: "node:http, the same bytes" });
  const what = `GET /api/items, ${count.toLocaleString("en")} items, ${database.name}`;
  return { what, unit: "/s", ...rate, budget: [atLeastRaw(0.9)] };
}
