import type { Queries } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

const LAST_LOOK = "expiry-last-look";

/**
 * Reads when a process has last looked at all orders that could expire, in epoch milliseconds;
 * `undefined` for never.
 */
export async function readLastExpiry(db: Queries): Promise<number | undefined> {
  const time = Number((await readFact(db, LAST_LOOK)) ?? Number.NaN);
  return Number.isFinite(time) ? time : undefined;
}

/** Stores that all orders that could expire have been looked at. */
export async function writeLastExpiry(db: Queries, at: number): Promise<void> {
  await writeFact(db, LAST_LOOK, String(at));
}
