import { randomUUID } from "node:crypto";
import type { Release } from "@keepsats/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { Bus } from "./bus/bus.ts";
import { createInProcessBus } from "./bus/in-process.ts";
import { type Clock, elapsed } from "./clock.ts";
import type { Config } from "./config.ts";
import { type Database, type DatabaseObserver, DatabaseUnusable } from "./db/database.ts";
import { readOrWriteFact } from "./db/facts.ts";
import { openWithRetry } from "./db/open-with-retry.ts";
import { openSqlite } from "./db/sqlite.ts";
import { ConfigError } from "./environment.ts";
import { withLocalFallback } from "./limits/limit.ts";
import { createWindows, type Windows } from "./limits/windows.ts";
import type { FigureTimes } from "./orders/index.ts";
import type { Channel } from "./outbox/channel.ts";
import type { ConnectProvider, PaymentTimes } from "./payments/index.ts";
import type { EraseTimes } from "./privacy/erase-old-orders.ts";
import { type DatabaseLoad, observeDatabase } from "./telemetry/database.ts";
import { withSafeErrors } from "./telemetry/faults-in-log.ts";
import { logBusState, logLimitFallback } from "./telemetry/shared-parts.ts";
import type { Post } from "./webhooks/post.ts";

/** The dependencies of the shop that its caller provides; tests provide their own. */
export interface Parts extends Omit<StoredParts, "close"> {
  readonly config: Config;
  readonly release: Release;
  readonly merchantToken: string;
  readonly now: Clock;
  readonly newId: () => string;
  readonly log: FastifyBaseLogger;
  /** The number of dropped log lines. */
  readonly droppedLogLines: () => number;
  /** The folder of the built web app. */
  readonly webRoot: string;
  /** The folder of the built desk. */
  readonly deskRoot: string;
  readonly times: PaymentTimes & StreamTimes & EraseTimes & FigureTimes;
  /** Further ways of telling others, besides mail and webhooks. */
  readonly moreChannels?: readonly Channel[];
  /** The adapter of the configured loan provider. */
  readonly connectProvider: ConnectProvider;
  /** Sends a delivery to a webhook. */
  readonly postWebhook: Post;
}

/** In milliseconds. */
export interface StreamTimes {
  readonly heartbeat: number;
  readonly reread: number;
  /** The timeout for one answer of the loan provider. */
  readonly providerTimeout: number;
  /** The timeout for the first part of the provider's list, and between two parts of it. */
  readonly listStalled: number;
  /** The timeout for the whole list. */
  readonly listTimeout: number;
}

/** The parts whose implementation depends on the settings: SQLite, PostgreSQL or Redis. */
export interface StoredParts {
  readonly database: Database;
  readonly databaseLoad: () => DatabaseLoad;
  readonly bus: Bus;
  /** The counters of the rate limits. */
  readonly windows: Windows;
  close(): Promise<void>;
}

/**
 * Opens the database, the bus and the counters of the rate limits. With SQLite the bus and the
 * counters are in memory; with PostgreSQL they are in the database, or in Redis when `REDIS_URL` is
 * set. Drivers that are not needed are not loaded. While PostgreSQL cannot be reached this retries
 * without limit.
 *
 * @throws {ConfigError} when the database cannot be used, for example because of a wrong password
 */
export async function openParts(
  config: Pick<Config, "database" | "redisUrl" | "redisPrefix">,
  log: FastifyBaseLogger,
): Promise<StoredParts> {
  const observer = observeDatabase(withSafeErrors(log));
  const database = await openDatabase(config.database, { observer, log });
  const redis = await redisOf(config, database);
  const bus = await openBus(config, { redis, log });
  const windows = await openWindows(config, { redis, database, log });
  return {
    database,
    databaseLoad: () => observer.load,
    bus,
    windows,
    async close() {
      await Promise.all([bus.close(), windows.close()]);
      await database.close();
    },
  };
}

async function openDatabase(
  setting: Config["database"],
  { observer, log }: { observer: DatabaseObserver; log: FastifyBaseLogger },
): Promise<Database> {
  try {
    if (setting.kind === "sqlite") return openSqlite(setting.file, observer);
    const { openPostgres } = await import("./db/postgres.ts");
    return await openWithRetry(
      () => openPostgres(setting.url, observer),
      (why) => log.error({ why }, "the database cannot be used yet; retrying until it can"),
    );
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw new ConfigError(`DATABASE_URL: ${error.message}`);
    throw error;
  }
}

/** A Redis server and the prefix of this shop's channel and keys. */
interface Redis {
  readonly url: string;
  readonly prefix: string;
}

async function redisOf(
  { redisUrl, redisPrefix }: Pick<Config, "redisUrl" | "redisPrefix">,
  database: Database,
): Promise<Redis | undefined> {
  if (redisUrl === undefined) return undefined;
  if (redisPrefix !== undefined) return { url: redisUrl, prefix: redisPrefix };
  const id = await readOrWriteFact(database.db, "database-id", randomUUID());
  return { url: redisUrl, prefix: `keepsats:${id}` };
}

async function openBus(
  { database }: Pick<Config, "database">,
  { redis, log }: { redis: Redis | undefined; log: FastifyBaseLogger },
): Promise<Bus> {
  const onState = logBusState(log);
  if (redis !== undefined) {
    const { createNetworkedBus } = await import("./bus/networked.ts");
    const { redisTransport } = await import("./bus/redis.ts");
    return createNetworkedBus({ open: redisTransport(redis.url, redis.prefix), onState });
  }
  if (database.kind === "sqlite") return createInProcessBus();
  const { createNetworkedBus } = await import("./bus/networked.ts");
  const { postgresTransport } = await import("./bus/postgres.ts");
  const { connectionOptions } = await import("./db/postgres-pool.ts");
  return createNetworkedBus({ open: postgresTransport(connectionOptions(database.url)), onState });
}

async function openWindows(
  { database: setting }: Pick<Config, "database">,
  {
    redis,
    database,
    log,
  }: { redis: Redis | undefined; database: Database; log: FastifyBaseLogger },
): Promise<Windows> {
  const local = createWindows(elapsed);
  if (redis !== undefined) {
    const { createRedisWindows } = await import("./limits/redis.ts");
    return withLocalFallback(
      createRedisWindows(redis.url, redis.prefix),
      local,
      logLimitFallback(log),
    );
  }
  if (setting.kind === "sqlite") return local;
  const { createPostgresWindows } = await import("./limits/postgres.ts");
  return withLocalFallback(createPostgresWindows(database.db), local, logLimitFallback(log));
}
