import type { Release } from "@keepsats/protocol";
import type { FastifyBaseLogger } from "fastify";
import { isDatabaseUnavailable } from "./database/faults.ts";
import { readLastBackup } from "./database/last-backup.ts";
import { createMetrics } from "./observability/metrics.ts";
import { createRefusalLog, type RequestRefusal, refusals } from "./observability/refusals.ts";
import { createOutbox } from "./outbox/outbox.ts";
import { createLimit, type Rule } from "./rate-limit/limit.ts";
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

export type Platform = ReturnType<typeof createPlatform>;

/** What the modules share. */
export function createPlatform({
  database,
  databaseLoad,
  bus,
  counters,
  release,
  now,
  newId,
  log,
  droppedLogLines,
  rereadInterval,
}: PlatformOptions) {
  const onError = (error: unknown) => {
    // The database observer logs an outage once, and not for each of thousands of waiting callers.
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, "background work failed");
  };
  const metrics = createMetrics(release);
  const refused = metrics.counter(
    "keepsats_refusals_total",
    "Requests refused by a limit per address, and wrong tokens, keys and sign-ins",
    "kind",
    refusals,
  );
  const refusalLog = createRefusalLog(log, refused);
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
    /** The clock for times that people read. Leases use `database.now`, which all processes share. */
    now,
    newId,
    log,
    /** Logs an error of background work. */
    onError,
    metrics,
    rereadInterval,
    /** Seconds since a time of the shared clock; since the start if it is 0 or in the future. */
    secondsSince,
    /** Creates a rate limit whose refusals are logged and counted. */
    createLimit: (...rules: Rule<RequestRefusal>[]) =>
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
