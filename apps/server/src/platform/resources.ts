import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/environment.ts";
import {
  type Database,
  type DatabaseObserver,
  DatabaseUnreachable,
  DatabaseUnusable,
  observeDatabase,
} from "./database/database.ts";
import { readOrWriteValue } from "./database/key-values.ts";
import { openSqlite } from "./database/sqlite.ts";
import { type Bus, createInProcessBus } from "./events/bus.ts";
import type { OpenTransport } from "./events/networked.ts";
import { withSafeErrors } from "./observability/redaction.ts";
import {
  createWindowCounters,
  logLimitFallback,
  type WindowCounters,
  withLocalFallback,
} from "./rate-limit/limit.ts";
import { backoff, elapsed } from "./scheduling/clock.ts";

export type Resources = Awaited<ReturnType<typeof openResources>>;

type Settings = Pick<Config, "database" | "redisUrl" | "redisPrefix">;

/**
 * Opens the database, the bus and the counters of the rate limits. With SQLite bus and counters are
 * in memory, with PostgreSQL in the database. With `REDIS_URL` the bus uses Redis. Loads only the
 * drivers that it needs. Retries without limit while PostgreSQL is unreachable.
 *
 * @throws {ConfigError} if the database cannot be used, for example because of a wrong password
 */
export async function openResources(config: Settings, log: FastifyBaseLogger) {
  const observer = observeDatabase(withSafeErrors(log));
  const database = await openDatabase(config.database, { observer, log });
  const bus = await openBus(config, database, log);
  const counters = await openCounters(config, database, log);
  return {
    database,
    databaseLoad: () => observer.load,
    bus,
    counters,
    async close(): Promise<void> {
      await Promise.all([bus.close(), counters.close()]);
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
    const { openPostgres } = await import("./database/postgres.ts");
    return await openWithRetry(
      () => openPostgres(setting.url, observer),
      (why) => log.error({ why }, "the database cannot be used yet; retrying until it can"),
    );
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw new ConfigError(`DATABASE_URL: ${error.message}`);
    throw error;
  }
}

async function openBus(config: Settings, database: Database, log: FastifyBaseLogger): Promise<Bus> {
  const open = await chooseTransport(config, database);
  if (open === undefined) return createInProcessBus();
  const { createNetworkedBus, logBusState } = await import("./events/networked.ts");
  return createNetworkedBus({ open, onState: logBusState(log) });
}

/** @returns `undefined` on SQLite without Redis */
async function chooseTransport(
  { database: setting, redisUrl, redisPrefix }: Settings,
  { db }: Database,
): Promise<OpenTransport | undefined> {
  if (redisUrl !== undefined) {
    const { redisTransport } = await import("./events/redis.ts");
    return redisTransport(
      redisUrl,
      redisPrefix ?? `keepsats:${await readOrWriteValue(db, "database-id", randomUUID())}`,
    );
  }
  if (setting.kind === "sqlite") return undefined;
  const { connectionOptions } = await import("./database/postgres-pool.ts");
  const { postgresTransport } = await import("./events/postgres.ts");
  return postgresTransport(connectionOptions(setting.url));
}

async function openCounters(
  { database: setting }: Settings,
  { db }: Database,
  log: FastifyBaseLogger,
): Promise<WindowCounters> {
  const local = createWindowCounters(elapsed);
  if (setting.kind === "sqlite") return local;
  const { createPostgresCounters } = await import("./rate-limit/postgres.ts");
  return withLocalFallback(createPostgresCounters(db), local, logLimitFallback(log));
}

/** The exponential backoff between attempts to open the database, in milliseconds. */
const FIRST_BACKOFF = 250;
const MAX_BACKOFF = 10_000;

/**
 * Retries without limit while a database is unreachable or a migration is blocked, for example
 * because its machine is starting, or a backup reads a table. Any other error, such as a wrong
 * password, is thrown at once.
 *
 * @param onWaiting called once, with the error's message, before the first retry
 */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  onWaiting: (why: string) => void,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable)) throw error;
      if (failures === 0) onWaiting(error.message);
    }
    const longest = backoff(failures, FIRST_BACKOFF, MAX_BACKOFF);
    // Jitter, so that many servers do not reconnect at the same moment.
    await pause(longest * (0.5 + Math.random() / 2));
  }
}
