import { paths } from "@keepsats/protocol";
import { newPostgres } from "./databases.ts";
import { median, type Row, unlessShort } from "./measure.ts";
import { CORES, type Program, pin, startShop } from "./programs.ts";
import { wrk } from "./wrk.ts";

const ROUNDS = 3;
const CLIENTS = 48;
const loads = [
  { name: "orders placed", target: "order" },
  { name: "GET /api/items", target: paths.items },
];

/**
 * One, two and four server processes on one PostgreSQL. Servers, database and load share all cores,
 * so the figures show when more processes stop helping.
 */
export async function processes(): Promise<Row[]> {
  const database = await newPostgres();
  const servers = await Promise.all(
    Array.from({ length: 4 }, () => startShop({ DATABASE_URL: database.url })),
  );
  for (const { pid } of servers) pin(pid, "all");
  const rows: Row[] = [];
  for (const { name, target } of loads) {
    await load(servers, target);
    const one = await measure(servers.slice(0, 1), target);
    for (const count of [1, 2, 4]) {
      const { perSecond, p99 } = count === 1 ? one : await measure(servers.slice(0, count), target);
      const where = `${count} processes on PostgreSQL, ${CORES} cores`;
      const rate = { ours: perSecond, raw: { name: "one process", value: one.perSecond } };
      const slowest = { ours: p99, raw: { name: "one process", value: one.p99 } };
      rows.push({ name: `${name}, ${where} for everything`, unit: "/s", ...rate });
      rows.push({ name: "the same: 99th percentile", unit: "ms", ...slowest });
    }
  }
  await Promise.all(servers.map((server) => server.stop()));
  return rows;
}

async function measure(servers: readonly Program[], target: string) {
  const results: Awaited<ReturnType<typeof load>>[] = [];
  for (let round = 0; round < unlessShort(ROUNDS); round += 1)
    results.push(await load(servers, target));
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p99: median(results.map(({ p99 }) => p99)),
  };
}

/** The rate of all servers together, and the 99th percentile of the slowest. */
async function load(servers: readonly Program[], target: string) {
  const connections = CLIENTS / servers.length;
  const results = await Promise.all(servers.map((server) => wrk(server, connections, target)));
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
  };
}
