import { newPostgres, newSqlite } from "./databases.ts";
import type { HttpLoadResult } from "./load/http-result.ts";
import { byTurns, median } from "./measure.ts";
import { loadHttp, makeTables, type Program, startOurs, startRaw } from "./programs.ts";
import { beside, type Row } from "./row.ts";

const ROUNDS = 5;
const CLIENTS = [64, 16];
const SECONDS = 4;
/** The least rate of orders, and the longest 99th percentile, relative to the bare process. */
const LEAST = { SQLite: 0.8, PostgreSQL: 0.8 };
const MOST = 1.5;

/**
 * Orders placed over HTTP, each durable when it is answered, beside the bare process of
 * `bench/raw/bare-shop.ts`.
 */
export async function orders(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of [newSqlite, newPostgres]) {
    const [database, bareDatabase] = [await newDatabase(), await newDatabase()];
    await makeTables(bareDatabase.url);
    const ours = await startOurs({ DATABASE_URL: database.url });
    const bare = await startRaw("bare-shop", { DATABASE_URL: bareDatabase.url });
    for (const program of [ours, bare]) await place(program, 64);
    for (const clients of CLIENTS) {
      const { one, other } = await byTurns(
        ROUNDS,
        () => place(ours, clients),
        () => place(bare, clients),
      );
      rows.push(
        ...rowsOf(`${database.name}, ${clients} clients`, LEAST[database.name], one, other),
      );
    }
    await Promise.all([ours.stop(), bare.stop()]);
    await Promise.all([database.remove(), bareDatabase.remove()]);
  }
  return rows;
}

async function place({ port }: Program, connections: number): Promise<HttpLoadResult> {
  const result = await loadHttp({ port, connections, seconds: SECONDS, what: "order" });
  if (result.refused > 0) throw new Error(`${result.refused} orders were refused`);
  return result;
}

function rowsOf(
  where: string,
  least: number,
  ours: readonly HttpLoadResult[],
  bare: readonly HttpLoadResult[],
): Row[] {
  const what = "the bare process";
  const medians = (figure: "perSecond" | "p50" | "p99" | "longest", digits: number) =>
    [ours, bare].map((results) =>
      Number(median(results.map((result) => result[figure])).toFixed(digits)),
    ) as [number, number];
  const row = (
    name: string,
    unit: string,
    [one, other]: [number, number],
    promise?: Parameters<typeof beside>[2],
  ) => beside({ what: name, ours: one, unit }, { what, value: other }, promise);
  return [
    row(`orders placed on ${where}, each durable`, "/s", medians("perSecond", 0), { least }),
    row("the same: 50th percentile", "ms", medians("p50", 1)),
    row("the same: 99th percentile", "ms", medians("p99", 1), { most: MOST }),
    row("the same: longest", "ms", medians("longest", 0)),
  ];
}
