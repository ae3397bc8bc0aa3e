import type { Queries } from "./database.ts";
import { readValue } from "./key-values.ts";

const LAST_BACKUP = "last-backup";

/** Epoch milliseconds of the last complete backup, or 0. */
export async function readLastBackup(db: Queries): Promise<number> {
  return Number((await readValue(db, LAST_BACKUP)) ?? 0);
}

/**
 * The SQL that records a backup, for both kinds of database. The backup command cannot use
 * {@link Queries}, which would migrate.
 */
export function recordBackup(at: Date): string {
  return `INSERT INTO key_values (name, value) VALUES ('${LAST_BACKUP}', '${at.getTime()}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
}
