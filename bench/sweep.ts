import { setTimeout as pause } from "node:timers/promises";
import { paths, withId } from "@keepsats/protocol";
import { placeOrder } from "../test/harness/client.ts";
import { freePort } from "../test/harness/free-port.ts";
import { lenderSettings } from "../test/harness/server-process.ts";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import type { HistoryLoad } from "./load/history.ts";
import { median } from "./measure.ts";
import { holdLoad, MERCHANT_TOKEN, makeTables, type Program, startOurs } from "./programs.ts";
import { beside, type Row } from "./row.ts";
import { acts, shopper } from "./shopper.ts";

const ROUNDS = 5;
const LOANS = 100_000;
/** Low enough that the list is still being read when the last round ends. */
const MEGABYTES_PER_SECOND = 6;

/** The response times for a shopper during the first sweep over a long list on a slow connection, and the sweep's duration. */
export async function sweep(): Promise<Row[]> {
  return onEachDatabase(rowsOn);
}

async function rowsOn(database: BenchDatabase): Promise<Row[]> {
  await makeTables(database.url);
  const port = await freePort();
  const ours = await startOurs({
    DATABASE_URL: database.url,
    ...lenderSettings({ url: `http://127.0.0.1:${port}`, key: "bench" }),
  });
  const url = `http://127.0.0.1:${ours.port}`;
  const { id } = await placeOrder({ url });
  await shopper(ours);
  const alone = await rounds(ours);
  const history: HistoryLoad = { port, loans: LOANS, orderId: id, megabytesPerSecond: MEGABYTES_PER_SECOND };
  const lender = await holdLoad("history", history);
  const begun = performance.now();
  const meanwhile = await rounds(ours);
  const measuredWithin = (performance.now() - begun) / 1000;
  while ((await statusOf(url, id)) !== "PaymentProcessed") await pause(100);
  const settledWithin = (performance.now() - begun) / 1000;
  await ours.stop();
  await lender.end();
  if (settledWithin < measuredWithin) throw new Error("the list was read before the shopper was measured");

  const what = `while ${LOANS.toLocaleString("en")} loans are read, ${database.name}`;
  const noticed = Object.keys(acts).map((act, index) => {
    const p99 = (times: number[][]) => Number(median(times.map((time) => time[index] ?? 0)).toFixed(2));
    const measured = { what: `${act} ${what}: 99th percentile`, ours: p99(meanwhile), unit: "ms" };
    return beside(measured, { what: "without a sweep", value: p99(alone) }, { most: 2 });
  });
  const connection = `a connection of ${MEGABYTES_PER_SECOND} MB/s`;
  const found = {
    what: `an order that nobody follows is settled, ${connection}, ${database.name}`,
    unit: "s",
  };
  return [...noticed, { ...found, ours: Number(settledWithin.toFixed(1)) }];
}

async function statusOf(url: string, id: string): Promise<unknown> {
  const response = await fetch(`${url}${withId(paths.merchant.order, id)}`, {
    headers: { authorization: `Bearer ${MERCHANT_TOKEN}` },
  });
  return Reflect.get(Object(await response.json()), "status");
}

async function rounds(ours: Program): Promise<number[][]> {
  const times: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await shopper(ours));
  return times;
}
