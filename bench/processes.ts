import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { startPgbouncer } from "../test/harness/pgbouncer.ts";
import { newPostgres } from "./databases.ts";
import { median } from "./measure.ts";
import { freeOfPins, loadHttp, makeTables, type Program, startOurs } from "./programs.ts";
import type { Row } from "./row.ts";

const ROUNDS = 3;
const MOST = 3;
const CLIENTS = 48;
const SECONDS = 3;

const works = [
  { name: "orders placed", what: "order" },
  { name: "GET /api/items", what: "/api/items" },
] as const;

/**
 * The rates of one, two and three server processes on one PostgreSQL, directly and through
 * PgBouncer. Servers, database and load share all cores, so more processes than free cores bring
 * nothing: the figures show where the line bends.
 */
export async function processes(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const pooled of [false, true]) {
    const database = await newPostgres();
    const pooler = pooled ? await startPgbouncer(database.url, "session") : undefined;
    await makeTables(database.url);
    const servers = await Promise.all(
      Array.from({ length: MOST }, () => startOurs({ DATABASE_URL: pooler?.url ?? database.url })),
    );
    for (const { pid } of servers) freeOfPins(pid);
    for (const { name, what } of works) {
      await Promise.all(
        servers.map(({ port }) =>
          loadHttp({ port, connections: 16, seconds: 1, what }, { isFree: true }),
        ),
      );
      const one = await rateOf(servers.slice(0, 1), what);
      for (let count = 1; count <= MOST; count += 1) {
        const { perSecond, perCore } =
          count === 1 ? one : await rateOf(servers.slice(0, count), what);
        const where = `${count} ${count === 1 ? "process" : "processes"}${pooled ? " through PgBouncer" : ""}`;
        rows.push({
          what: `${name}, ${where}, ${CLIENTS} clients, ${availableParallelism()} cores for everything`,
          ours: perSecond,
          unit: "/s",
          raw: { what: "one process", value: one.perSecond },
          ratio: perSecond / one.perSecond,
        });
        rows.push({
          what: "the same, for a second of the servers' processor time",
          ours: perCore,
          unit: "",
        });
      }
    }
    await Promise.all(servers.map((server) => server.stop()));
    await pooler?.stop();
  }
  return rows;
}

/**
 * The rate of all servers together, and for each second of their processor time: medians of several
 * rounds.
 */
async function rateOf(servers: readonly Program[], what: string) {
  const rates: { perSecond: number; perCore: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = processorSeconds(servers);
    const connections = CLIENTS / servers.length;
    const load = { connections, seconds: SECONDS, what };
    const results = await Promise.all(
      servers.map(({ port }) => loadHttp({ port, ...load }, { isFree: true })),
    );
    if (results.some(({ refused }) => refused > 0)) throw new Error("requests were refused");
    const perSecond = results.reduce((sum, result) => sum + result.perSecond, 0);
    rates.push({
      perSecond,
      perCore: (perSecond * SECONDS) / (processorSeconds(servers) - before),
    });
  }
  return {
    perSecond: Math.round(median(rates.map((rate) => rate.perSecond))),
    perCore: Math.round(median(rates.map((rate) => rate.perCore))),
  };
}

/** The processor time that processes have taken, in seconds. Linux only. */
function processorSeconds(programs: readonly Program[]): number {
  const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const ticks = programs.map(({ pid }) => {
    const [, figures = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user, system] = figures.split(" ").slice(11, 13);
    return Number(user) + Number(system);
  });
  return ticks.reduce((sum, some) => sum + some, 0) / ticksPerSecond;
}
