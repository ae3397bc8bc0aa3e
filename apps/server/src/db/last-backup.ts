import type { Queries } from "./database.ts";
import { readFact } from "./facts.ts";

const LAST_BACKUP = "last-backup";

/** Returns the time of the last complete backup in epoch milliseconds, or 0. */
export async function readLastBackup(db: Queries): Promise<number> {
  return Number((await readFact(db, LAST_BACKUP)) ?? 0);
}

/**
 * The SQL that records a backup, for both kinds of database. The backup command cannot use
 * {@link Queries}, which would migrate.
 */
export function recordBackup(at: Date): string {
  return `INSERT INTO facts (name, value) VALUES ('${LAST_BACKUP}', '${at.getTime()}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
}
