import type { FastifyBaseLogger } from "fastify";
import type { DatabaseObserver } from "../db/database.ts";
import { reasonOf } from "./reason.ts";

/** What the queries of this process have come to so far. */
export interface DatabaseLoad {
  readonly queries: number;
  readonly seconds: number;
}

/** Counts queries, and logs when the database goes out of reach and when it is back. */
export function hearDatabase(log: FastifyBaseLogger): DatabaseObserver & { readonly load: DatabaseLoad } {
  let away = false;
  let queries = 0;
  let milliseconds = 0;
  return {
    answered(took) {
      queries += 1;
      milliseconds += took;
      if (!away) return;
      away = false;
      log.warn("the database answers again");
    },
    away(error) {
      if (away) return;
      away = true;
      log.error({ why: reasonOf(error) }, "the database cannot be reached or written to");
    },
    get load() {
      return { queries, seconds: milliseconds / 1000 };
    },
  };
}
