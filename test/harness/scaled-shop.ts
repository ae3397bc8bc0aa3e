import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import { afterAll, beforeAll } from "vitest";
import { ask } from "../../scripts/postgres-tools.ts";
import { follow, merchant, paidOrder, type TestFollower } from "./client.ts";
import { type FaultProxy, startFaultProxy, throughProxy } from "./fault-proxy.ts";
import { type Lender, startLender } from "./lender.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { lenderSettings, open, type Started, startProcess } from "./server-process.ts";
import { type Service, startRedis } from "./services.ts";

const PUBLIC_URL = "https://shop.example";
/** The merchant's token. */
export const token = "the-merchant's-own-long-token";
/**
 * The duration of each loan status, in milliseconds; a loan is in progress for some seconds.
 */
const STEP = 600;

/**
 * Three server processes on one PostgreSQL. Read the fields only inside tests and hooks: before
 * that nothing has started.
 */
export interface ScaledShop {
  readonly servers: readonly Started[];
  readonly lender: Lender;
  readonly postgres: TestPostgres;
  /** In front of Redis, if that carries the bus. */
  readonly busProxy: FaultProxy | undefined;
  server(index: number): Started;
  /** Starts a server in the place of one that has ended. */
  startAgain(index: number): Promise<void>;
  followOn(on: Started, orderId: string, loanId: string): Promise<TestFollower>;
  /** The merchant's move of an order to a status. */
  move(on: Started, id: string, to: string): ReturnType<typeof merchant>;
  /** Places an order and pays it. */
  paid(): ReturnType<typeof paidOrder>;
  /** The rows that a query of the database finds. */
  rows<Row extends object>(sql: string): Promise<Row[]>;
  /** The count of one address's orders in the present minute, from PostgreSQL or Redis. */
  ordersCounted(): Promise<number>;
}

/**
 * Starts a shop of three processes before the tests of the describe block that calls this, and
 * stops it after them.
 *
 * @param withRedis whether the bus and the rate limits use Redis
 */
export function useScaledShop({ withRedis }: { withRedis: boolean }): ScaledShop {
  let folder: string;
  let postgres: TestPostgres;
  let redis: Service | undefined;
  /** In front of the server that carries the bus: Redis, or PostgreSQL itself. */
  let busProxy: FaultProxy | undefined;
  let databaseUrl: string;
  let lender: Lender;
  let servers: Started[];

  async function startServer(): Promise<Started> {
    const started = await startProcess({
      cwd: folder,
      env: {
        DATABASE_URL: databaseUrl,
        ...(redis === undefined || busProxy === undefined
          ? {}
          : { REDIS_URL: throughProxy(redis.url, busProxy) }),
        ...lenderSettings(lender),
        PUBLIC_URL,
        MERCHANT_TOKEN: token,
        METRICS_TOKEN: token,
        RATE_LIMIT_ORDERS: "1000000",
        RATE_LIMIT_SOCKETS: "1000000",
      },
    });
    return open(started);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "keepsats-"));
    postgres = await startPostgres();
    databaseUrl = await postgres.newDatabase();
    if (withRedis) {
      redis = await startRedis();
      const { hostname, port } = new URL(redis.url);
      busProxy = await startFaultProxy({ host: hostname, port: Number(port) });
    }
    lender = await startLender({ folder, shopOrigin: PUBLIC_URL, step: STEP });
    servers = await Promise.all([startServer(), startServer(), startServer()]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end()));
    await lender.close();
    await busProxy?.close();
    await redis?.stop();
    await postgres.stop();
    await rm(folder, { recursive: true });
  });

  const server = (index: number): Started => {
    const started = servers[index];
    if (started === undefined) throw new Error(`there is no server ${index}`);
    return started;
  };
  const followOn = (on: Started, orderId: string, loanId: string) =>
    follow(on, orderId, loanId, PUBLIC_URL);
  const move = (on: Started, id: string, to: string) =>
    merchant({ ...on, token }, "POST", `/api/merchant/orders/${id}/transitions`, { to });
  const paid = () => paidOrder({ url: server(0).url, lender, origin: PUBLIC_URL });

  const rows = <Row extends object>(sql: string) => ask<Row>(databaseUrl, sql);

  /** The count of one address's orders in the present minute, from PostgreSQL or Redis. */
  async function ordersCounted(): Promise<number> {
    if (redis === undefined) {
      const [window] = await rows<{ count: number }>(
        "SELECT max(count)::int AS count FROM rate_windows WHERE key LIKE 'orders:%'",
      );
      return window?.count ?? 0;
    }
    const client = createClient({ url: redis.url });
    await client.connect();
    const keys = await client.keys("keepsats:*:orders:*");
    const counts = await Promise.all(keys.map((key) => client.get(key)));
    client.destroy();
    return Math.max(0, ...counts.map(Number));
  }

  return {
    get servers() {
      return servers;
    },
    get lender() {
      return lender;
    },
    get postgres() {
      return postgres;
    },
    get busProxy() {
      return busProxy;
    },
    server,
    async startAgain(index) {
      servers[index] = await startServer();
    },
    followOn,
    move,
    paid,
    rows,
    ordersCounted,
  };
}
