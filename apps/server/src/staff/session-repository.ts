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

/** Since when an open session must have been used, and begun. */
export interface Since {
  readonly used: number;
  readonly begun: number;
}

/** The sessions that were used and begun after these times. */
export function sessionsSince(db: Queries, { used, begun }: Since) {
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
    .where("desk_sessions.used_at", ">", used)
    .where("desk_sessions.created_at", ">", begun);
}

/** Which of these sessions were used and begun after these times and have not been ended. */
export async function liveSessions(
  db: Queries,
  ids: readonly string[],
  { used, begun }: Since,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("desk_sessions")
    .select("id")
    .where("id", "in", ids)
    .where("used_at", ">", used)
    .where("created_at", ">", begun)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
