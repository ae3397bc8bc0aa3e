import type { FastifyBaseLogger } from "fastify";
import type { DatabaseObserver } from "../db/database.ts";
import { isOnlyUnwritable } from "../db/faults.ts";
import { reasonOf } from "../errors.ts";

/** Counters for the metrics: of all queries of this process since its start. */
export interface DatabaseLoad {
  readonly up: boolean;
  readonly queries: number;
  /** The total duration of these queries. */
  readonly seconds: number;
}

/**
 * Counts queries, and logs once when the database becomes unavailable and once when it recovers.
 */
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
      log.error({ err: error }, "work in the background failed");
    },
    migrating(message, details) {
      log.info(details, message);
    },
    get load() {
      return { up: state === "up", queries, seconds: milliseconds / 1000 };
    },
  };
}
