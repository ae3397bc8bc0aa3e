import { paths } from "@keepsats/protocol";
import { newPostgres } from "./databases.ts";
import { median, unlessShort } from "./measure.ts";
import { CORES, type Program, pin, startShop } from "./programs.ts";
import type { Row } from "./row.ts";
import { wrk } from "./wrk.ts";

const ROUNDS = 3;
const CLIENTS = 48;
const works = [
  { name: "orders placed", what: "order" },
  { name: "GET /api/items", what: paths.items },
];

/**
 * One, two and four server processes on one PostgreSQL. Servers, database and load share all cores,
 * so the figures show where more processes bring nothing.
 */
export async function processes(): Promise<Row[]> {
  const database = await newPostgres();
  const servers = await Promise.all(
    Array.from({ length: 4 }, () => startShop({ DATABASE_URL: database.url })),
  );
  for (const { pid } of servers) pin(pid, "all");
  const rows: Row[] = [];
  for (const { name, what } of works) {
    await load(servers, what);
    const one = await measured(servers.slice(0, 1), what);
    for (const count of [1, 2, 4]) {
      const { perSecond, p99 } = count === 1 ? one : await measured(servers.slice(0, count), what);
      const where = `${count} processes on PostgreSQL, ${CORES} cores`;
      const rate = { ours: perSecond, raw: { what: "one process", value: one.perSecond } };
      const slowest = { ours: p99, raw: { what: "one process", value: one.p99 } };
      rows.push({ what: `${name}, ${where} for everything`, unit: "/s", ...rate });
      rows.push({ what: "the same: 99th percentile", unit: "ms", ...slowest });
    }
  }
  await Promise.all(servers.map((server) => server.stop()));
  return rows;
}

async function measured(servers: readonly Program[], what: string) {
  const loads: Awaited<ReturnType<typeof load>>[] = [];
  for (let round = 0; round < unlessShort(ROUNDS); round += 1)
    loads.push(await load(servers, what));
  return {
    perSecond: median(loads.map(({ perSecond }) => perSecond)),
    p99: median(loads.map(({ p99 }) => p99)),
  };
}

/** The rate of all servers together, and the 99th percentile of the slowest. */
async function load(servers: readonly Program[], what: string) {
  const connections = CLIENTS / servers.length;
  const results = await Promise.all(servers.map((server) => wrk(server, connections, what)));
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
  };
}
