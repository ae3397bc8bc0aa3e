import { newPostgres, newSqlite } from "./databases.ts";
import type { HttpLoadResult } from "./load/http.ts";
import { byTurns, median } from "./measure.ts";
import { makeTables, type Program, runBare, runLoad, startOurs } from "./programs.ts";
import { beside, type Row } from "./row.ts";

const ROUNDS = 5;
const CLIENTS = 64;
const SECONDS = 4;

/** Orders placed over HTTP, each durable when it is answered, beside bare databases that store the same rows. */
export async function orders(): Promise<Row[]> {
  return [...(await onSqlite()), ...(await onPostgres())];
}

const place = ({ port }: Program) =>
  runLoad<HttpLoadResult>("http", { port, connections: CLIENTS, seconds: SECONDS, what: "order" });

async function onSqlite(): Promise<Row[]> {
  const [database, bare] = [await newSqlite(), await newSqlite()];
  const ours = await startOurs({ DATABASE_URL: database.url });
  await makeTables(bare.url);
  const store = (group: number) =>
    runBare("sqlite-orders", { file: bare.url.replace("file:", ""), group, seconds: SECONDS });
  const { one, other } = await byTurns(
    ROUNDS,
    () => place(ours),
    () => store(50),
  );
  const single = await store(1);
  await ours.stop();
  await Promise.all([database.remove(), bare.remove()]);
  const measured = (what: string) => ({ what, ours: rate(one), unit: "/s" });
  return [
    beside(
      measured(`order placed on SQLite, synchronous=FULL, ${CLIENTS} clients`),
      {
        what: "SQLite alone, 50 orders a commit",
        value: Math.round(median(other.map(({ perSecond }) => perSecond))),
      },
      { least: 0.35 },
    ),
    beside(measured("the same"), {
      what: "SQLite alone, one order a commit",
      value: Math.round(single.perSecond),
    }),
    {
      what: "the same: 99th percentile",
      ours: Math.round(median(one.map(({ p99 }) => p99))),
      unit: "ms",
    },
  ];
}

async function onPostgres(): Promise<Row[]> {
  const [database, bare] = [await newPostgres(), await newPostgres()];
  const ours = await startOurs({ DATABASE_URL: database.url });
  await makeTables(bare.url);
  const { one, other } = await byTurns(
    ROUNDS,
    () => place(ours),
    () => runBare("postgres-orders", { url: bare.url, seconds: SECONDS }),
  );
  await ours.stop();
  return [
    beside(
      { what: `order placed on PostgreSQL, fsync on, ${CLIENTS} clients`, ours: rate(one), unit: "/s" },
      {
        what: "PostgreSQL alone, one statement an order, 10 connections",
        value: Math.round(median(other.map(({ perSecond }) => perSecond))),
      },
      { least: 0.6 },
    ),
    {
      what: "the same: 99th percentile",
      ours: Math.round(median(one.map(({ p99 }) => p99))),
      unit: "ms",
    },
  ];
}

function rate(results: readonly HttpLoadResult[]): number {
  const refused = results.reduce((sum, result) => sum + result.refused, 0);
  if (refused > 0) throw new Error(`${refused} orders were refused`);
  return Math.round(median(results.map(({ perSecond }) => perSecond)));
}
