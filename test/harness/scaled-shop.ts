import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryRows } from "../../scripts/backup/postgres-tools.ts";
import { paidOrder, subscribe } from "./customer.ts";
import { startFaultProxy } from "./network.ts";
import { startPostgres } from "./postgres.ts";
import { startSandbox } from "./sandbox.ts";
import { type Started, startServer } from "./server-process.ts";
import { startRedis } from "./services.ts";
import { callAdminApi } from "./staff.ts";

const PUBLIC_URL = "https://shop.example";
/** The merchant's token. */
export const token = "the-admin-token-of-these-tests";
/**
 * The duration of each loan status, in milliseconds; a loan is in progress for some seconds.
 */
const STEP = 600;

/**
 * Starts a shop of three server processes on one PostgreSQL.
 *
 * @param withRedis whether the bus uses Redis
 */
export async function startScaledShop({ withRedis }: { withRedis: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  const postgres = await startPostgres();
  const databaseUrl = await postgres.newDatabase();
  const sandbox = await startSandbox({ folder, shopOrigin: PUBLIC_URL, step: STEP });
  const redis = withRedis ? await startProxiedRedis() : undefined;
  const start = () =>
    startServer({
      cwd: folder,
      databaseUrl,
      provider: sandbox,
      env: {
        ...(redis === undefined ? {} : { REDIS_URL: redis.proxy.url }),
        PUBLIC_URL,
        ADMIN_TOKEN: token,
        METRICS_TOKEN: token,
        RATE_LIMIT_SOCKETS: "1000000",
        LOG_LEVEL: "info",
      },
    });
  const servers = await Promise.all([start(), start(), start()]);

  const server = (index: number): Started => {
    const started = servers[index];
    if (started === undefined) throw new Error(`there is no server ${index}`);
    return started;
  };
  const rows = <Row extends object>(sql: string) => queryRows<Row>(databaseUrl, sql);
  return {
    servers,
    sandbox,
    postgres,
    /** In front of Redis, if that carries the bus. */
    busProxy: redis?.proxy,
    server,
    /** Starts a server in the place of one that has ended. */
    async startAgain(index: number): Promise<void> {
      servers[index] = await start();
    },
    subscribeOn: (on: Started, orderId: string, loanId: string) =>
      subscribe(on, orderId, loanId, PUBLIC_URL),
    /** The merchant's move of an order to a status. */
    move: (on: Started, id: string, to: string) =>
      callAdminApi({ ...on, token }, "POST", `/api/admin/orders/${id}/transitions`, { to }),
    /** Places an order and pays it. */
    paid: () => paidOrder({ url: server(0).url, sandbox, origin: PUBLIC_URL }),
    /** The rows that a query of the database finds. */
    rows,
    /** The count of one address's orders in the present minute. */
    async ordersCounted(): Promise<number> {
      const [window] = await rows<{ count: number }>(
        "SELECT max(count)::int AS count FROM rate_windows WHERE key LIKE 'orders:%'",
      );
      return window?.count ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((started) => started.end()));
      await sandbox.close();
      await redis?.stop();
      await postgres.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Redis, behind a proxy that can cut its connections. */
async function startProxiedRedis() {
  const { url, stop } = await startRedis();
  const proxy = await startFaultProxy(url);
  return {
    proxy,
    async stop() {
      await proxy.close();
      await stop();
    },
  };
}
