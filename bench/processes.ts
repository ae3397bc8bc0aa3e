import { paths } from "@keepsats/protocol";
import { startHaproxy, startRedis } from "../test/harness/services.ts";
import { newPostgres } from "./databases.ts";
import { medians, type Row, unlessShort } from "./measure.ts";
import { CORES, type Program, pin, startShop } from "./programs.ts";
import { wrk } from "./wrk.ts";

const ROUNDS = 3;
const CLIENTS = 48;
const COUNTS = [1, 2, 4];
const loads = [
  { name: "orders placed", target: "order" },
  { name: "GET /api/items", target: paths.items },
];

/**
 * One, two and four server processes on one PostgreSQL and one Redis, behind HAProxy. All of them
 * and the load share all cores, so the figures show when more processes stop helping.
 */
export async function processes(): Promise<Row[]> {
  const [database, redis] = [await newPostgres(), await startRedis()];
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.url };
  const servers = await Promise.all(
    Array.from({ length: Math.max(...COUNTS) }, () => startShop(env)),
  );
  for (const { pid } of servers) pin(pid, "all");
  const proxies = await Promise.all(COUNTS.map((count) => proxyOf(servers.slice(0, count))));
  const rows: Row[] = [];
  for (const { name, target } of loads) {
    const results = await inTurn(
      proxies.map(({ url }) => url),
      target,
    );
    for (const [index, count] of COUNTS.entries()) {
      const where = `${count} processes behind HAProxy, ${CORES} cores`;
      const compared = (key: "perSecond" | "p99") =>
        medians({ ours: results[index] ?? [], raw: results[0] ?? [] }, key, "one process");
      rows.push({ name: `${name}, ${where} for everything`, unit: "/s", ...compared("perSecond") });
      rows.push({ name: "the same: 99th percentile", unit: "ms", ...compared("p99") });
    }
  }
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await Promise.all(servers.map((server) => server.stop()));
  await redis.stop();
  return rows;
}

/** The settings of `deploy/`, with these servers. */
function proxyOf(servers: readonly Program[]) {
  const lines = servers.map(({ port }, index) => `\tserver shop-${index} 127.0.0.1:${port}\n`);
  return startHaproxy([], (settings) => settings.replace(/(?:\tserver .*\n?)+/, lines.join("")));
}

/** The results of each address, in rounds, after one round that does not count. */
async function inTurn(urls: readonly string[], target: string) {
  const results = urls.map((): Awaited<ReturnType<typeof wrk>>[] => []);
  for (let round = 0; round <= unlessShort(ROUNDS); round += 1)
    for (const [index, url] of urls.entries()) {
      const result = await wrk({ url: url.replace("localhost", "127.0.0.1") }, CLIENTS, target);
      if (round > 0) results[index]?.push(result);
    }
  return results;
}
