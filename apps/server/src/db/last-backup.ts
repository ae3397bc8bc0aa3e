import type { Queries } from "./database.ts";
import { readFact } from "./facts.ts";

const LAST_BACKUP = "last-backup";

/** Reads when the last backup was completed, in epoch milliseconds; 0 for never. */
export async function readLastBackup(db: Queries): Promise<number> {
  return Number((await readFact(db, LAST_BACKUP)) ?? 0);
}

/** The statement that records a backup, on both kinds of database. The backup command opens no {@link Queries}: that would migrate. */
export function recordBackup(at: Date): string {
  return `INSERT INTO facts (name, value) VALUES ('${LAST_BACKUP}', '${at.getTime()}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
}
