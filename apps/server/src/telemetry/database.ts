import type { FastifyBaseLogger } from "fastify";
import type { DatabaseObserver } from "../db/database.ts";
import { isOnlyUnwritable } from "../db/faults.ts";
import { reasonOf } from "./reason.ts";

/** What the queries of this process have come to so far, and whether the database can be used. */
export interface DatabaseLoad {
  readonly up: boolean;
  readonly queries: number;
  readonly seconds: number;
}

/** Counts queries, and logs when the database goes out of reach and when it is back. */
export function hearDatabase(log: FastifyBaseLogger): DatabaseObserver & { readonly load: DatabaseLoad } {
  /** What is wrong: nothing can be read, or nothing written. Only a commit proves that the latter is over. */
  let state: "well" | "unreachable" | "unwritable" = "well";
  let queries = 0;
  let milliseconds = 0;

  function back(): void {
    state = "well";
    log.warn("the database answers again");
  }

  return {
    answered(took) {
      queries += 1;
      milliseconds += took;
      if (state === "unreachable") back();
    },
    committed() {
      if (state === "unwritable") back();
    },
    away(error) {
      const next = isOnlyUnwritable(error) ? "unwritable" : "unreachable";
      if (state !== "well") return;
      state = next;
      log.error({ why: reasonOf(error) }, `the database is ${next}`);
    },
    followUpFailed(error) {
      log.error({ err: error }, "work in the background failed");
    },
    get load() {
      return { up: state === "well", queries, seconds: milliseconds / 1000 };
    },
  };
}
