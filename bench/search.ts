import type { Database } from "../apps/server/src/db/database.ts";
import { openPostgres } from "../apps/server/src/db/postgres.ts";
import { openSqlite } from "../apps/server/src/db/sqlite.ts";
import { indexChanges } from "../apps/server/src/orders/order-index.ts";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import type { HttpLoadResult } from "./load/http-result.ts";
import {
  MERCHANT_TOKEN,
  makeTables,
  type Program,
  residentMemory,
  runLoad,
  startOurs,
} from "./programs.ts";
import { type Row, within } from "./row.ts";
import { seedNamedOrders } from "./seed.ts";

const ORDERS = 1_000_000;
const SECONDS = 3;
/** The most milliseconds of a search, 99th percentile. */
const MOST = 100;
/** The most that an export may add to the memory of the process, in MB. */
const MOST_MEMORY = 60;
const AT_A_TIME = 1_000;

const searches: Readonly<Record<string, string>> = {
  "the first page, without a search": "",
  "a name of a fifth of the orders": "?q=lovel",
  "a name of one or two orders": "?q=qzjk",
  "a word of none": "?q=notthere",
  "two words, one rare": "?q=moka%20qz",
  "the first letter of many names": "?q=a",
  "the beginning of an id": "?q=0000a1b2",
  "a rare status and a frequent word": "?q=example&status=Cancelled",
  "a narrow range of totals": "?min_total=433.21&max_total=433.22",
  "the first page of all changes": "?updated_since=0",
};

/** Searches and the export in a shop with a million orders, for one client at a time. */
export function search(): Promise<Row[]> {
  return onEachDatabase(async (database) => {
    await makeTables(database.url);
    await seedNamedOrders(database, ORDERS);
    const rows = [await indexAll(database)];
    await database.settle();
    const server = await startOurs({ DATABASE_URL: database.url });
    for (const [what, query] of Object.entries(searches))
      rows.push(await searched(database, server, { what, query }));
    rows.push(...(await exported(database, server)));
    await server.stop();
    return rows;
  });
}

function open({ name, url }: BenchDatabase): Database | Promise<Database> {
  return name === "SQLite" ? openSqlite(url.replace(/^file:/, "")) : openPostgres(url);
}

/**
 * Fills the index as fast as it can be; the shop's own task has a tenth of this speed after an
 * upgrade, and a fiftieth otherwise.
 */
async function indexAll(place: BenchDatabase): Promise<Row> {
  const database = await open(place);
  const begun = performance.now();
  while (
    (await database.inTransaction((unit) => indexChanges(unit, database.now, AT_A_TIME))).count > 0
  );
  const seconds = (performance.now() - begun) / 1000;
  await database.close();
  return { what: `orders indexed, ${place.name}`, ours: Math.round(ORDERS / seconds), unit: "/s" };
}

async function searched(
  { name }: BenchDatabase,
  { port }: Program,
  { what, query }: { what: string; query: string },
): Promise<Row> {
  const { p99 } = await runLoad<HttpLoadResult>("http", {
    port,
    connections: 1,
    seconds: SECONDS,
    what: `/api/merchant/orders${query}`,
    headers: { Authorization: `Bearer ${MERCHANT_TOKEN}` },
  });
  const measured = {
    what: `${what}, ${name}: 99th percentile`,
    ours: Number(p99.toFixed(1)),
    unit: "ms",
  };
  return within(measured, { most: MOST });
}

async function exported({ name }: BenchDatabase, { port, pid }: Program): Promise<Row[]> {
  const before = Math.round(residentMemory(pid));
  let most = before;
  let bytes = 0;
  let parts = 0;
  const begun = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/api/merchant/orders.csv`, {
    headers: { authorization: `Bearer ${MERCHANT_TOKEN}` },
  });
  for await (const part of response.body ?? []) {
    bytes += part.length;
    parts += 1;
    if (parts % 500 === 0) most = Math.max(most, Math.round(residentMemory(pid)));
  }
  const seconds = (performance.now() - begun) / 1000;
  const more = {
    what: `memory added by an export of ${ORDERS} orders, ${name}`,
    ours: most - before,
    unit: "MB",
  };
  return [
    {
      what: `orders exported (${Math.round(bytes / 1e6)} MB), ${name}`,
      ours: Math.round(ORDERS / seconds),
      unit: "/s",
    },
    within(more, { most: MOST_MEMORY }),
  ];
}
