import { freePort } from "../test/harness/free-port.ts";
import { lenderSettings } from "../test/harness/server-process.ts";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import type { SocketLoad } from "./load/sockets.ts";
import { byTurns, median } from "./measure.ts";
import { holdLoad, makeTables, type Program, startOurs } from "./programs.ts";
import type { Row } from "./row.ts";
import { followPath, seedOrders } from "./seed.ts";
import { acts, shopper } from "./shopper.ts";

const ROUNDS = 5;
const COUNT = 10_000;

/** The response times for a shopper while ten thousand others follow orders with loans in progress, and how soon those see their orders. */
export async function waiting(): Promise<Row[]> {
  return onEachDatabase(rowsOn);
}

async function rowsOn(database: BenchDatabase): Promise<Row[]> {
  await makeTables(database.url);
  await seedOrders(database, { to: COUNT, loan: "underWay" });
  const port = await freePort();
  const lender = await holdLoad("lender", { port, loans: COUNT });
  const ours = await startOurs({
    DATABASE_URL: database.url,
    ...lenderSettings({ url: `http://127.0.0.1:${port}`, key: "bench" }),
  });
  const opened: number[] = [];
  const crowded = async () => {
    const begun = performance.now();
    const crowd = await holdLoad("sockets", crowdOf(ours));
    opened.push((performance.now() - begun) / 1000);
    const noticed = await shopper(ours);
    await crowd.end();
    return noticed;
  };
  const { one, other } = await byTurns(ROUNDS, crowded, () => shopper(ours));
  await ours.stop();
  await lender.end();

  const who = `${COUNT.toLocaleString("en")} shoppers with loans in progress, ${database.name}`;
  const noticed = Object.keys(acts).map((act, index) => {
    const p99 = (rounds: number[][]) => Number(median(rounds.map((round) => round[index] ?? 0)).toFixed(2));
    return {
      what: `${act} beside ${who}: 99th percentile`,
      ours: p99(one),
      unit: "ms",
      raw: { what: "without other load", value: p99(other) },
      ratio: p99(one) / p99(other),
    };
  });
  const seen = { what: `${who}: come, and see their orders, all within`, unit: "s" };
  return [...noticed, { ...seen, ours: Number(median(opened).toFixed(1)) }];
}

function crowdOf({ port }: Program): SocketLoad {
  const follow = Array.from({ length: COUNT }, (_, index) => followPath(index + 1));
  return { port, follow, changes: [], perSecond: 0, hold: true };
}
