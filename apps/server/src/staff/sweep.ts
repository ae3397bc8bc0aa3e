import type { Database } from "../db/database.ts";
import { createLoop, type Loop } from "../loop.ts";
import { openSince } from "./sessions.ts";

/** The interval of the cleanup, in milliseconds. */
const EVERY = 10 * 60_000;
const FIRST = 60_000;

/**
 * Deletes links and challenges that have expired, and sessions that have ended, at an interval.
 * Every process does it: deleting the same rows twice does no harm. Nothing depends on it, since
 * each use compares the times itself.
 */
export function createSweepSignIns(
  database: Database,
  onError: (error: unknown) => void,
  { every, first }: { every: number; first: number } = { every: EVERY, first: FIRST },
): Loop {
  return createLoop(() => sweepSignIns(database), every, onError, first);
}

/** Deletes everything that lets nobody in any more. */
export async function sweepSignIns({ db, now }: Database): Promise<void> {
  await db.deleteFrom("sign_in_links").where("expires_at", "<=", now()).execute();
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now()).execute();
  const { used, begun } = openSince(now());
  await db
    .deleteFrom("desk_sessions")
    .where((row) => row.or([row("used_at", "<=", used), row("created_at", "<=", begun)]))
    .execute();
}
