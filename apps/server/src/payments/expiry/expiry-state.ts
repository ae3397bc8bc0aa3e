import type { Queries } from "../../db/database.ts";
import { readFact, writeFact } from "../../db/facts.ts";

const FROM = "orders-expire-from";
const LAST_LOOK = "expiry-last-look";

/**
 * Reads when this shop began to let orders expire, in epoch milliseconds; the first call stores
 * `now`. The term of an older order begins at that time. A stored time in the future was written
 * before the clock was set back, and is replaced.
 */
export async function readExpiryStart(db: Queries, now: number): Promise<number> {
  const stored = await readTime(db, FROM);
  if (stored !== undefined && stored <= now) return stored;
  await writeFact(db, FROM, String(now));
  return now;
}

/**
 * Reads when a process has last looked at all orders that could expire, in epoch milliseconds;
 * `undefined` for never.
 */
export function readLastExpiry(db: Queries): Promise<number | undefined> {
  return readTime(db, LAST_LOOK);
}

/** Stores that all orders that could expire have been looked at. */
export async function writeLastExpiry(db: Queries, at: number): Promise<void> {
  await writeFact(db, LAST_LOOK, String(at));
}

/** A stored value that is no time counts as none. */
async function readTime(db: Queries, name: string): Promise<number | undefined> {
  const time = Number((await readFact(db, name)) ?? Number.NaN);
  return Number.isFinite(time) ? time : undefined;
}
