import { setTimeout as pause } from "node:timers/promises";
import { orderPageSchema, paths, withId } from "@keepsats/protocol";
import { type BenchDatabase, newPostgres, newSqlite } from "./databases.ts";
import { alternately, many, median, medians } from "./measure.ts";
import {
  asMerchant,
  MERCHANT_TOKEN,
  oneClient,
  type Program,
  type Requests,
  startShop,
} from "./programs.ts";
import { atMost, atMostRaw, type Row } from "./row.ts";
import { nameOf, seedOrders } from "./seed.ts";

const ORDERS = many(1_000_000);
const ROUNDS = 5;
/** In milliseconds. */
const MEASURED = 2_000;
const headers = { Authorization: `Bearer ${MERCHANT_TOKEN}` };

const searches: Readonly<Record<string, string>> = {
  "a name of a fifth of the orders": "q=lovel",
  "a rare name": `q=${nameOf(1)}`,
  "a word of none": "q=notthere",
  "the first letter of most names": "q=a",
  "a frequent word and a rare status": "q=example&status=Cancelled",
  "a narrow range of totals": "min_total=433.21&max_total=433.22",
  "a frequent word and a narrow range of totals": "q=example&min_total=433.21&max_total=433.22",
  "the first page of all changes": "updated_since=0",
};

interface Shop {
  readonly database: BenchDatabase;
  readonly server: Program;
}

/** What one client waits for in a shop with a million orders, beside a shop without any. */
export async function growth(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of [newSqlite, newPostgres]) {
    const [full, empty] = [await openShop(newDatabase, ORDERS), await openShop(newDatabase, 0)];
    rows.push(...(await besideEmpty(full, empty)), ...(await searched(full)));
    for (const { server, database } of [full, empty]) {
      await server.stop();
      await database.remove();
    }
  }
  return rows;
}

async function openShop(newDatabase: () => Promise<BenchDatabase>, orders: number): Promise<Shop> {
  const database = await newDatabase();
  await seedOrders(database, orders);
  await database.settle();
  const server = await startShop({ DATABASE_URL: database.url });
  await oneClient(server, { what: "order" }, () => pause(MEASURED));
  return { database, server };
}

/** The same requests to both shops. */
async function besideEmpty(full: Shop, empty: Shop): Promise<Row[]> {
  const { orders } = paths.merchant;
  const requests: Readonly<Record<string, (shop: Shop) => Promise<Requests["what"]>>> = {
    "an order placed": async () => "order",
    "an order read": someOrders,
    "the first page of orders": async () => [orders],
    "the first page of one status": async () => [`${orders}?status=Pending`],
  };
  const rows: Row[] = [];
  for (const [what, requestsOf] of Object.entries(requests)) {
    const [ofFull, ofEmpty] = [await requestsOf(full), await requestsOf(empty)];
    const results = await alternately(
      ROUNDS,
      () => answered(full, ofFull),
      () => answered(empty, ofEmpty),
    );
    const p99 = medians(results, "p99", "none stored");
    const name = `${what}, ${ORDERS.toLocaleString("en")} orders, ${full.database.name}`;
    rows.push({ what: `${name}: 99th percentile`, unit: "ms", ...p99, budget: [atMostRaw(1.2)] });
  }
  return rows;
}

async function searched(shop: Shop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, query] of Object.entries(searches)) {
    const { p99 } = await answered(shop, [`${paths.merchant.orders}?${query}`]);
    const searched = `${what}, ${shop.database.name}: 99th percentile`;
    rows.push({ what: searched, ours: median([p99]), unit: "ms", budget: [atMost(100)] });
  }
  return rows;
}

function answered({ server }: Shop, what: Requests["what"]) {
  return oneClient(server, { what, headers }, () => pause(MEASURED));
}

/** The paths of the last 200 orders. */
async function someOrders({ server }: Shop): Promise<string[]> {
  const page = await asMerchant(server, "GET", `${paths.merchant.orders}?limit=200`);
  return orderPageSchema.parse(page).orders.map(({ id }) => withId(paths.merchant.order, id));
}
