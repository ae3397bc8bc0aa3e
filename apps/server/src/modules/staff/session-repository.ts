import type { Role } from "@keepsats/protocol";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Platform } from "../../platform/platform.ts";
import { DAY, MINUTE } from "../../platform/scheduling/clock.ts";
import { createPeriodicWorker } from "../../platform/scheduling/periodic-worker.ts";
import { storedRole } from "./restricted-role.ts";

/** A session ends after this time without use, in milliseconds. */
const IDLE_LIFETIME = 7 * DAY;
/** A session ends after this time even if it is used, in milliseconds. */
const MAX_LIFETIME = 90 * DAY;
/** When expired rows are deleted after the start, and the interval after that, in milliseconds. */
const FIRST_CLEANUP = MINUTE;
const CLEANUP_INTERVAL = 10 * MINUTE;

/** An open session with its member of staff. Times in epoch milliseconds. */
export interface SessionRow {
  readonly id: string;
  readonly browser: string | null;
  readonly created_at: number;
  readonly used_at: number;
  readonly staff_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
}

/** An open session was last used, and created, after these times. */
function openSince(now: number) {
  return { used: now - IDLE_LIFETIME, created: now - MAX_LIFETIME };
}

/** When a session ends unless it is used again. */
export function endOf({ used_at, created_at }: Pick<SessionRow, "used_at" | "created_at">): number {
  return Math.min(used_at + IDLE_LIFETIME, created_at + MAX_LIFETIME);
}

/** @param staffId the member whose sessions are wanted; `undefined` for all */
export function openSessions(db: Queries, now: number, staffId?: string) {
  const { used, created } = openSince(now);
  const open = db
    .selectFrom("staff_sessions")
    .innerJoin("staff", "staff.id", "staff_sessions.staff_id")
    .select([
      "staff_sessions.id",
      "staff_sessions.browser",
      "staff_sessions.created_at",
      "staff_sessions.used_at",
      "staff_sessions.staff_id",
      "staff.name",
      "staff.email",
    ])
    .select(storedRole)
    .where("staff_sessions.used_at", ">", used)
    .where("staff_sessions.created_at", ">", created);
  return staffId === undefined ? open : open.where("staff_sessions.staff_id", "=", staffId);
}

/**
 * Deletes expired links, challenges and sessions at an interval. All processes run it, because
 * deleting the same rows twice does no harm. Nothing depends on it: each use checks the expiry.
 */
export function createSignInCleanup({ database, onError }: Pick<Platform, "database" | "onError">) {
  return createPeriodicWorker(
    () => deleteExpired(database),
    CLEANUP_INTERVAL,
    onError,
    FIRST_CLEANUP,
  );
}

export async function deleteExpired({ db, now }: Database): Promise<void> {
  await db.deleteFrom("sign_in_links").where("expires_at", "<=", now()).execute();
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now()).execute();
  const { used, created } = openSince(now());
  await db
    .deleteFrom("staff_sessions")
    .where((row) => row.or([row("used_at", "<=", used), row("created_at", "<=", created)]))
    .execute();
}
