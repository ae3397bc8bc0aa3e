import type { TokenRole } from "@keepsats/protocol";
import type { Queries } from "../db/database.ts";

/** A session that has not ended, with its member of staff. Times in epoch milliseconds. */
export interface SessionRow {
  readonly id: string;
  readonly browser: string | null;
  readonly created_at: number;
  readonly used_at: number;
  readonly staff_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: TokenRole;
}

/** The sessions that were used after a time. */
export function sessionsSince(db: Queries, after: number) {
  return db
    .selectFrom("desk_sessions")
    .innerJoin("staff", "staff.id", "desk_sessions.staff_id")
    .select([
      "desk_sessions.id",
      "desk_sessions.browser",
      "desk_sessions.created_at",
      "desk_sessions.used_at",
      "desk_sessions.staff_id",
      "staff.name",
      "staff.email",
      "staff.role",
    ])
    .where("desk_sessions.used_at", ">", after);
}

/** Which of these sessions were used after a time and have not been ended. */
export async function liveSessions(db: Queries, ids: readonly string[], after: number): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("desk_sessions")
    .select("id")
    .where("id", "in", ids)
    .where("used_at", ">", after)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
