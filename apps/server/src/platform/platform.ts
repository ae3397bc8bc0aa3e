import type { Release } from "@keepsats/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "./database/database.ts";
import { isDatabaseUnavailable } from "./database/faults.ts";
import { readLastBackup } from "./database/last-backup.ts";
import type { Bus } from "./events/bus.ts";
import { createMetrics, type Metrics } from "./observability/metrics.ts";
import {
  createRefusalLog,
  type OnRefused,
  type RequestRefusal,
  refusals,
} from "./observability/refusals.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import { createLimit, type Limit, type Rule } from "./rate-limit/limit.ts";
import type { Resources } from "./resources.ts";
import { type Clock, elapsed } from "./scheduling/clock.ts";

export interface PlatformOptions extends Omit<Resources, "close"> {
  readonly release: Release;
  readonly now: Clock;
  readonly newId: () => string;
  readonly log: FastifyBaseLogger;
  readonly droppedLogLines: () => number;
  /**
   * The interval at which cached values are read again, in milliseconds, in case the bus loses a
   * message.
   */
  readonly rereadInterval: number;
}

export interface Platform {
  readonly database: Database;
  readonly bus: Bus;
  /** The clock for times that people read. Leases use `database.now`, which all processes share. */
  readonly now: Clock;
  readonly newId: () => string;
  readonly log: FastifyBaseLogger;
  /** Logs an error of background work. */
  readonly onError: (error: unknown) => void;
  readonly metrics: Metrics;
  /** Creates a rate limit whose refusals are logged and counted. */
  readonly createLimit: (...rules: Rule<RequestRefusal>[]) => Limit;
  readonly onRefused: OnRefused;
  readonly outbox: Outbox;
  readonly rereadInterval: number;
  /** Seconds since a time of the shared clock; since the start if it is 0 or in the future. */
  readonly secondsSince: (at: number) => number;
  close(): void;
}

export function createPlatform(options: PlatformOptions): Platform {
  const {
    database,
    databaseLoad,
    bus,
    counters,
    now,
    newId,
    log,
    rereadInterval,
    droppedLogLines,
  } = options;
  const onError = (error: unknown) => {
    // The database observer logs an outage once, and not for each of thousands of waiting callers.
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, "background work failed");
  };
  const metrics = createMetrics(options.release);
  const refused = metrics.counter(
    "keepsats_refusals_total",
    "Requests refused by a limit per address, and wrong tokens, keys and sign-ins",
    "kind",
    refusals,
  );
  const refusalLog = createRefusalLog({ log, refused, now: elapsed });
  const startedAt = database.now();
  const secondsSince = (at: number) => {
    const time = database.now();
    return (time - (at === 0 || at > time ? startedAt : at)) / 1000;
  };
  metrics.total(
    "keepsats_database_queries_total",
    "Queries of this process",
    () => databaseLoad().queries,
  );
  metrics.total(
    "keepsats_database_seconds_total",
    "Time that this process spent on queries",
    () => databaseLoad().seconds,
  );
  metrics.gauge("keepsats_database_up", "Whether the database can be read and written", () =>
    Number(databaseLoad().up),
  );
  metrics.total(
    "keepsats_log_lines_dropped_total",
    "Log lines that could not be written",
    droppedLogLines,
  );
  metrics.gauge("keepsats_bus_connected", "Whether messages of other processes are received", () =>
    Number(bus.health.connected),
  );
  metrics.gauge(
    "keepsats_bus_lag_seconds",
    "Round trip of a message through the bus",
    () => bus.health.lag / 1000,
  );
  metrics.gauge(
    "keepsats_clock_ahead_of_database_seconds",
    "How far the clock of this machine is ahead of the database server's",
    () => (Date.now() - database.now()) / 1000,
  );
  metrics.gauge(
    "keepsats_last_backup_seconds",
    "Time since the last complete backup, or since the start if there was none",
    async () => secondsSince(await readLastBackup(database.db)),
  );
  return {
    database,
    bus,
    now,
    newId,
    log,
    onError,
    metrics,
    rereadInterval,
    secondsSince,
    createLimit: (...rules) =>
      createLimit(rules, { counters, now: elapsed, onRefused: refusalLog.refused }),
    onRefused: refusalLog.refused,
    outbox: createOutbox({
      database,
      newId,
      metrics,
      onError,
      onDeliveryFailed: () => bus.publish({ topic: "failed" }),
    }),
    close: refusalLog.close,
  };
}
