import type { FastifyBaseLogger } from "fastify";
import type { DatabaseObserver } from "../database/database.ts";
import { isOnlyUnwritable } from "../database/faults.ts";
import { reasonOf } from "../errors.ts";

/** In milliseconds. */
const FALLBACK_LOG_INTERVAL = 60_000;

/** Counts all queries of this process since its start. */
export interface DatabaseLoad {
  readonly up: boolean;
  readonly queries: number;
  /** The total duration of these queries. */
  readonly seconds: number;
}

/** Counts queries, and logs the start and the end of an outage of the database, once each. */
export function observeDatabase(
  log: FastifyBaseLogger,
): DatabaseObserver & { readonly load: DatabaseLoad } {
  /** `unreachable` ends with the next successful query, `unwritable` with the next commit. */
  let state: "up" | "unreachable" | "unwritable" = "up";
  let queries = 0;
  let milliseconds = 0;

  function recover(): void {
    state = "up";
    log.warn("the database answers again");
  }

  return {
    answered(took) {
      queries += 1;
      milliseconds += took;
      if (state === "unreachable") recover();
    },
    committed() {
      if (state === "unwritable") recover();
    },
    unavailable(error) {
      const next = isOnlyUnwritable(error) ? "unwritable" : "unreachable";
      if (state !== "up") return;
      state = next;
      log.error({ why: reasonOf(error) }, `the database is ${next}`);
    },
    afterCommitFailed(error) {
      log.error({ err: error }, "background work failed");
    },
    migrating(message, details) {
      log.info(details, message);
    },
    get load() {
      return { up: state === "up", queries, seconds: milliseconds / 1000 };
    },
  };
}

/** Logs the start and the end of an outage of the bus, once each. */
export function logBusState(log: FastifyBaseLogger): (connected: boolean, error?: unknown) => void {
  let wasConnected = true;
  return (connected, error) => {
    if (connected === wasConnected) return;
    wasConnected = connected;
    if (connected) log.warn("the bus between the processes is connected again");
    else
      log.error(
        { why: reasonOf(error) },
        "the bus between the processes is disconnected; changes by other processes are read every 30 seconds",
      );
  };
}

/** Logs, at most once a minute, that the shared counters of the rate limits fail. */
export function logLimitFallback(log: FastifyBaseLogger): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - loggedAt < FALLBACK_LOG_INTERVAL) return;
    loggedAt = performance.now();
    log.warn(
      { why: reasonOf(error) },
      "the shared rate limits cannot be counted; each process counts by itself",
    );
  };
}
