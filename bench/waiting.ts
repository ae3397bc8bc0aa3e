import { setTimeout as pause } from "node:timers/promises";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { byTurns, median } from "./measure.ts";
import { makeTables, type Program, startOurs } from "./programs.ts";
import { beside, type Row, within } from "./row.ts";
import { type Act, acts, type Noticed, shopper } from "./shopper.ts";
import { type Prepared, type Work, works } from "./works.ts";

const ROUNDS = 3;
/**
 * How long the shopper is measured in each round, in milliseconds; longer when the work of the
 * round takes longer.
 */
const MEASURED = 700;
/**
 * For how long each kind of request is repeated before anything is measured, while Node compiles
 * the server's code.
 */
const WARM_UP = 700;
/**
 * The most that one kind of work may take on one database, in milliseconds: a server that answers
 * nobody ends the benchmark.
 */
const LONGEST_PART = 90_000;
/** The most of the 99th percentile, as a multiple of what it is without the work. */
const MOST_TIMES = 2;
/** The most of the longest answer, in milliseconds. */
const MOST = 150;

/**
 * What one more shopper notices of the other work of a shop: a part of the benchmark for each kind
 * of work.
 */
export const waiting: Readonly<Record<string, () => Promise<Row[]>>> = Object.fromEntries(
  works.map((work) => [
    `while-${work.name}`,
    () => onEachDatabase((database) => inTime(work, database)),
  ]),
);

async function inTime(work: Work, database: BenchDatabase): Promise<Row[]> {
  const late = pause(LONGEST_PART, undefined, { ref: false }).then(() => {
    throw new Error(`${work.name} on ${database.name} takes longer than ${LONGEST_PART / 1000} s`);
  });
  return Promise.race([rowsOn(work, database), late]);
}

async function rowsOn(work: Work, database: BenchDatabase): Promise<Row[]> {
  await makeTables(database.url);
  const prepared = await work.prepare(database);
  await database.settle();
  const shop = await startOurs({ DATABASE_URL: database.url, ...prepared.env });
  await prepared.start(shop);
  await eachAct((act) => shopper(shop, act, () => pause(WARM_UP)));
  const { one, other } = await byTurns(
    work.rounds ?? ROUNDS,
    () => eachAct((act) => besideWork(work, prepared, { shop, act })),
    () => eachAct((act) => shopper(shop, act, () => pause(MEASURED))),
  );
  await shop.stop();
  await prepared.end();
  return acts.flatMap((act) =>
    rowsOf(`${act} while ${work.what}, ${database.name}`, {
      meanwhile: one.map((round) => round[act]),
      alone: other.map((round) => round[act]),
    }),
  );
}

async function besideWork(
  { isWhole }: Work,
  { begin, rest }: Prepared,
  { shop, act }: { shop: Program; act: Act },
): Promise<Noticed> {
  if (isWhole)
    return shopper(shop, act, async () => {
      await begin();
      await pause(MEASURED);
      await rest();
    });
  await begin();
  const noticed = await shopper(shop, act, () => pause(MEASURED));
  await rest();
  return noticed;
}

async function eachAct(measure: (act: Act) => Promise<Noticed>): Promise<Record<Act, Noticed>> {
  const list = await measure("GET /api/items");
  return { "GET /api/items": list, "an order placed": await measure("an order placed") };
}

function rowsOf(
  what: string,
  rounds: { meanwhile: readonly Noticed[]; alone: readonly Noticed[] },
): Row[] {
  const p99 = (all: readonly Noticed[]) => Number(median(all.map((one) => one.p99)).toFixed(2));
  const longest = (all: readonly Noticed[]) =>
    Math.round(Math.max(...all.map((one) => one.longest)));
  const { meanwhile, alone } = rounds;
  const nobody = "nobody else there";
  return [
    beside(
      { what: `${what}: 99th percentile`, ours: p99(meanwhile), unit: "ms" },
      { what: nobody, value: p99(alone) },
      { most: MOST_TIMES },
    ),
    within(
      { what: `${what}: longest`, ours: longest(meanwhile), unit: "ms" },
      { most: MOST },
      { what: nobody, value: longest(alone) },
    ),
  ];
}
