import { type BenchDatabase, databases } from "./databases.ts";
import type { HttpLoadResult } from "./load/http.ts";
import { median } from "./measure.ts";
import { MERCHANT_TOKEN, type Program, runLoad, startOurs } from "./programs.ts";
import type { Row } from "./row.ts";
import { seedOrders } from "./seed.ts";

const SIZES = [0, 100_000, 1_000_000];
const ROUNDS = 3;
const SECONDS = 3;
const MOST = 1.5;
const works = [
  "placing an order",
  "reading an order",
  "a merchant's first page",
  "a merchant's page of one status",
] as const;
type Work = (typeof works)[number];

/** What placing, reading and listing cost, for one client at a time, when the shop has sold much already. */
export async function growth(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of databases) {
    const database = await newDatabase();
    await (await startOurs({ DATABASE_URL: database.url })).stop();
    const times = new Map<number, Record<Work, number>>();
    let stored = 0;
    for (const size of SIZES) {
      if (size > stored) await seedOrders(database, { from: stored + 1, to: size });
      stored = size;
      times.set(size, await measure(database));
    }
    await database.remove();
    rows.push(...works.flatMap((work) => rowsOf(database.name, work, times)));
  }
  return rows;
}

function rowsOf(name: string, work: Work, times: ReadonlyMap<number, Record<Work, number>>): Row[] {
  const empty = times.get(0)?.[work] ?? 0;
  return SIZES.slice(1).map((size) => {
    const ours = times.get(size)?.[work] ?? 0;
    const ratio = ours / empty;
    return {
      what: `${work} with ${size.toLocaleString("en")} orders stored, ${name}: 99 of 100 within`,
      ours,
      unit: "ms",
      raw: { what: "with none", value: empty },
      ratio,
      promise: { text: `≤ ${MOST} × with none`, kept: ratio <= MOST },
    };
  });
}

async function measure(database: BenchDatabase): Promise<Record<Work, number>> {
  const ours = await startOurs({ DATABASE_URL: database.url });
  const headers = { Authorization: `Bearer ${MERCHANT_TOKEN}` };
  await p99(ours, { what: "order", seconds: 1 });
  const ids = await someIds(ours.port);
  const result = {
    "placing an order": await p99(ours, { what: "order" }),
    "reading an order": await p99(ours, { what: ids.map((id) => `/api/merchant/orders/${id}`), headers }),
    "a merchant's first page": await p99(ours, { what: "/api/merchant/orders", headers }),
    "a merchant's page of one status": await p99(ours, {
      what: "/api/merchant/orders?status=Pending",
      headers,
    }),
  };
  await ours.stop();
  return result;
}

async function p99(
  { port }: Program,
  load: { what: string | string[]; headers?: Record<string, string>; seconds?: number },
): Promise<number> {
  const results: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const settings = { port, connections: 1, seconds: SECONDS, ...load };
    results.push((await runLoad<HttpLoadResult>("http", settings)).p99);
  }
  return Number(median(results).toFixed(2));
}

/** Ids of a few hundred orders, spread over the list as far as pages go. */
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
