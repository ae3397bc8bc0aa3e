import { PostgresAdapter } from "kysely";
import type { Queries } from "./database.ts";

/** Whether queries run in another process, so that a long one does not block the event loop. */
export function isRemote(db: Queries): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
