import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** The pause before the next attempt while another process uses the log, such as a backup, in milliseconds. */
const RETRY_PAUSE = 30_000;

/** Empties the write-ahead log of a SQLite database; while another process uses it, tries again until it is empty. */
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
    // Such as a full disk. The caller's transaction is committed, so this does not fail it.
    return false;
  }
}
