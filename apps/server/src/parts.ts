import type { FastifyBaseLogger } from "fastify";
import type { Bus } from "./bus/bus.ts";
import { createInProcessBus } from "./bus/in-process.ts";
import { elapsed } from "./clock.ts";
import { type Config, ConfigError } from "./config.ts";
import { type Database, type DatabaseObserver, DatabaseUnusable } from "./db/database.ts";
import { openSqlite } from "./db/sqlite.ts";
import { untilReachable } from "./db/until-reachable.ts";
import { withOwnWindows } from "./limits/limit.ts";
import { createWindows, type Windows } from "./limits/windows.ts";
import { type DatabaseLoad, hearDatabase } from "./telemetry/database.ts";
import { withSafeErrors } from "./telemetry/faults-in-log.ts";
import { hearBus, hearLimits } from "./telemetry/shared-parts.ts";

/** What one process keeps to itself, or shares with others, as the settings say. */
export interface StoredParts {
  readonly database: Database;
  readonly databaseLoad: () => DatabaseLoad;
  readonly bus: Bus;
  readonly windows: Windows;
  close(): Promise<void>;
}

/**
 * Opens the database, the bus and the counters of the rate limits: on SQLite all in this process, on PostgreSQL
 * through it, and with Redis the last two through that. What is not used is not loaded. A database that cannot be
 * reached is waited for.
 *
 * @throws {ConfigError} when the database cannot be used
 */
export async function openParts(
  config: Pick<Config, "database" | "redisUrl">,
  log: FastifyBaseLogger,
): Promise<StoredParts> {
  const heard = hearDatabase(withSafeErrors(log));
  const database = await openDatabase(config.database, { observer: heard, log });
  const bus = await openBus(config, log);
  const windows = await openWindows(config, { database, log });
  return {
    database,
    databaseLoad: () => heard.load,
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
    return await untilReachable(
      () => openPostgres(setting.url, observer),
      (why) => log.error({ why }, "the database cannot be reached: the shop opens when it can"),
    );
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw new ConfigError(`DATABASE_URL: ${error.message}`);
    throw error;
  }
}

async function openBus(
  { database, redisUrl }: Pick<Config, "database" | "redisUrl">,
  log: FastifyBaseLogger,
): Promise<Bus> {
  const onState = hearBus(log);
  if (redisUrl !== undefined) {
    const { createNetworkedBus } = await import("./bus/networked.ts");
    const { redisLine } = await import("./bus/redis.ts");
    return createNetworkedBus({ open: redisLine(redisUrl), onState });
  }
  if (database.kind === "sqlite") return createInProcessBus();
  const { createNetworkedBus } = await import("./bus/networked.ts");
  const { postgresLine } = await import("./bus/postgres.ts");
  const { connectionOptions } = await import("./db/postgres-pool.ts");
  return createNetworkedBus({ open: postgresLine(connectionOptions(database.url)), onState });
}

async function openWindows(
  { database: setting, redisUrl }: Pick<Config, "database" | "redisUrl">,
  { database, log }: { database: Database; log: FastifyBaseLogger },
): Promise<Windows> {
  const own = createWindows(elapsed);
  if (redisUrl !== undefined) {
    const { createRedisWindows } = await import("./limits/redis.ts");
    return withOwnWindows(createRedisWindows(redisUrl), own, hearLimits(log));
  }
  if (setting.kind === "sqlite") return own;
  const { createPostgresWindows } = await import("./limits/postgres.ts");
  return withOwnWindows(createPostgresWindows(database.db), own, hearLimits(log));
}
