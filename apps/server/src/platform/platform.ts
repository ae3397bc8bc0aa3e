import type { Release } from "@keepsats/protocol";
import type { FastifyBaseLogger } from "fastify";
import { isDatabaseUnavailable } from "./database/faults.ts";
import { createMetrics } from "./observability/metrics.ts";
import { createRefusalLog, type RequestRefusal, refusals } from "./observability/refusals.ts";
import { createOutbox } from "./outbox/outbox.ts";
import { addProcessMetrics } from "./process-metrics.ts";
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
  addProcessMetrics(metrics, { database, databaseLoad, bus, droppedLogLines, secondsSince });
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
