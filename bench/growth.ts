import { type BenchDatabase, databases } from "./databases.ts";
import type { HttpLoad } from "./load/http.ts";
import type { HttpLoadResult } from "./load/http-result.ts";
import { median } from "./measure.ts";
import { MERCHANT_TOKEN, makeTables, type Program, runLoad, startOurs } from "./programs.ts";
import { beside, type Row } from "./row.ts";
import { seedOrders } from "./seed.ts";

const SIZES = [0, 100_000, 1_000_000];
const ROUNDS = 5;
const SECONDS = 2;
const MOST = 1.2;
const works = [
  "placing an order",
  "reading an order",
  "a merchant's first page",
  "a merchant's page of one status",
] as const;
type Work = (typeof works)[number];

/** A shop with this number of orders. */
interface Shop {
  readonly orders: number;
  readonly database: BenchDatabase;
  readonly server: Program;
  readonly loads: Readonly<Record<Work, Pick<HttpLoad, "what" | "headers">>>;
  /** The 99th percentile of each round, in milliseconds. */
  readonly p99s: Readonly<Record<Work, number[]>>;
}

/** The time to place, read and list orders, for one client at a time, in shops with many orders. */
export async function growth(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of databases) {
    const shops: Shop[] = [];
    for (const orders of SIZES) shops.push(await openShop(newDatabase, orders));
    // Alternately, so that a disturbance of the machine affects all of them.
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const work of works) for (const shop of shops) await measure(shop, work);
    }
    rows.push(...works.flatMap((work) => rowsOf(work, shops)));
    for (const { server, database } of shops) {
      await server.stop();
      await database.remove();
    }
  }
  return rows;
}

async function openShop(newDatabase: () => Promise<BenchDatabase>, orders: number): Promise<Shop> {
  const database = await newDatabase();
  await makeTables(database.url);
  if (orders > 0) await seedOrders(database, { to: orders });
  await database.settle();
  const server = await startOurs({ DATABASE_URL: database.url });
  const headers = { Authorization: `Bearer ${MERCHANT_TOKEN}` };
  await runLoad("http", { port: server.port, connections: 1, seconds: 1, what: "order" });
  const ids = await someIds(server.port);
  return {
    orders,
    database,
    server,
    loads: {
      "placing an order": { what: "order" },
      "reading an order": { what: ids.map((id) => `/api/merchant/orders/${id}`), headers },
      "a merchant's first page": { what: "/api/merchant/orders", headers },
      "a merchant's page of one status": { what: "/api/merchant/orders?status=Pending", headers },
    },
    p99s: {
      "placing an order": [],
      "reading an order": [],
      "a merchant's first page": [],
      "a merchant's page of one status": [],
    },
  };
}

async function measure({ server, loads, p99s }: Shop, work: Work): Promise<void> {
  const settings: HttpLoad = {
    port: server.port,
    connections: 1,
    seconds: SECONDS,
    ...loads[work],
  };
  p99s[work].push((await runLoad<HttpLoadResult>("http", settings)).p99);
}

function rowsOf(work: Work, shops: readonly Shop[]): Row[] {
  const [none, ...others] = shops.map(({ orders, database, p99s }) => ({
    orders,
    name: database.name,
    p99: Number(median(p99s[work]).toFixed(2)),
  }));
  return others.map(({ orders, name, p99 }) =>
    beside(
      {
        what: `${work} with ${orders.toLocaleString("en")} orders stored, ${name}: 99th percentile`,
        ours: p99,
        unit: "ms",
      },
      { what: "with none", value: none?.p99 ?? 0 },
      { most: MOST },
    ),
  );
}

/** Ids of a few hundred orders, from pages all over the list. */
async function someIds(port: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  for (let page = 0; page < 10; page += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/api/merchant/orders${cursor}`, {
      headers: { authorization: `Bearer ${MERCHANT_TOKEN}` },
    });
    const body: { orders: { id: string }[]; next_cursor: string | null } = await response.json();
    ids.push(...body.orders.map(({ id }) => id));
    if (body.next_cursor === null) break;
    cursor = `?cursor=${body.next_cursor}`;
  }
  return ids;
}
