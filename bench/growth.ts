import { setTimeout as pause } from "node:timers/promises";
import { orderPageSchema, paths, withId } from "@keepsats/protocol";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { alternately, atMost, atMostRaw, many, median, medians, type Row } from "./measure.ts";
import {
  ADMIN_TOKEN,
  asStaff,
  oneClient,
  type Program,
  type Requests,
  startShop,
} from "./programs.ts";
import { nameOf, seedOrders } from "./seed.ts";

const ORDERS = many(1_000_000);
const ROUNDS = 5;
/** In milliseconds. */
const DURATION = 2_000;
const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };

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

/** The response times of a shop with a million orders, compared with a shop without orders. */
export function growth(): Promise<Row[]> {
  return onEachDatabase(async (database, newDatabase) => {
    const full = await openShop(database, ORDERS);
    const empty = await openShop(await newDatabase(), 0);
    const rows = [...(await compare(full, empty)), ...(await search(full))];
    for (const { server } of [full, empty]) await server.stop();
    return rows;
  });
}

async function openShop(database: BenchDatabase, orders: number): Promise<Shop> {
  await seedOrders(database, orders);
  await database.settle();
  const server = await startShop({ DATABASE_URL: database.url });
  await oneClient(server, { target: "order" }, () => pause(DURATION));
  return { database, server };
}

async function compare(full: Shop, empty: Shop): Promise<Row[]> {
  const { orders } = paths.admin;
  const requests: Readonly<Record<string, (shop: Shop) => Promise<Requests["target"]>>> = {
    "an order placed": async () => "order",
    "an order read": someOrders,
    "the first page of orders": async () => [orders],
    "the first page of one status": async () => [`${orders}?status=Pending`],
  };
  const rows: Row[] = [];
  for (const [request, targetOf] of Object.entries(requests)) {
    const [fullTarget, emptyTarget] = [await targetOf(full), await targetOf(empty)];
    const results = await alternately(
      ROUNDS,
      () => load(full, fullTarget),
      () => load(empty, emptyTarget),
    );
    const p99 = medians(results, "p99", "none stored");
    const name = `${request}, ${ORDERS.toLocaleString("en")} orders, ${full.database.name}`;
    rows.push({ name: `${name}: 99th percentile`, unit: "ms", ...p99, budget: [atMostRaw(1.2)] });
  }
  return rows;
}

async function search(shop: Shop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [search, query] of Object.entries(searches)) {
    const { p99 } = await load(shop, [`${paths.admin.orders}?${query}`]);
    const name = `${search}, ${shop.database.name}: 99th percentile`;
    rows.push({ name, ours: median([p99]), unit: "ms", budget: [atMost(100)] });
  }
  return rows;
}

function load({ server }: Shop, target: Requests["target"]) {
  return oneClient(server, { target, headers }, () => pause(DURATION));
}

/** The paths of the last 200 orders. */
async function someOrders({ server }: Shop): Promise<string[]> {
  const page = await asStaff(server, "GET", `${paths.admin.orders}?limit=200`);
  return orderPageSchema.parse(page).orders.map(({ id }) => withId(paths.admin.order, id));
}
