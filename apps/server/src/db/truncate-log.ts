import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** The retry delay in milliseconds while another process, such as a backup, uses the log. */
const RETRY_PAUSE = 30_000;

/** Empties the write-ahead log of a SQLite database. Retries while another process uses the log. */
export function createTruncateLog(db: Kysely<Tables>, retryPause = RETRY_PAUSE) {
  let retry: NodeJS.Timeout | undefined;

  async function truncateLog(): Promise<void> {
    clearTimeout(retry);
    if (await isTruncated(db)) return;
    retry = setTimeout(() => void truncateLog(), retryPause);
    retry.unref();
  }
  return { truncateLog, stop: () => clearTimeout(retry) };
}

async function isTruncated(db: Kysely<Tables>): Promise<boolean> {
  try {
    const checkpoint = sql<{ busy: number }>`pragma wal_checkpoint(truncate)`;
    const [row] = (await checkpoint.execute(db)).rows;
    return row?.busy === 0;
  } catch {
    // A full disk, for example. The caller's transaction is already committed, so it must not fail.
    return false;
  }
}
