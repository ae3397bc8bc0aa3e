import { setTimeout as pause } from "node:timers/promises";
import { backoff } from "../backoff.ts";
import { DatabaseUnreachable } from "./database.ts";

/** The backoff between attempts, in milliseconds: doubled after each failure, up to the maximum. */
const FIRST_BACKOFF = 250;
const MAX_BACKOFF = 10_000;

/**
 * Opens a database, and retries without limit while it cannot be reached or migrated, for example
 * because its machine is still starting, or because a backup reads a table that a migration
 * changes. Any other error, such as a wrong password, is thrown at once.
 *
 * @param onWaiting called once, with the error's message, before the first retry
 */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  onWaiting: (why: string) => void,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable)) throw error;
      if (failures === 0) onWaiting(error.message);
    }
    const longest = backoff(failures, FIRST_BACKOFF, MAX_BACKOFF);
    // Jitter, so that many servers do not reconnect at the same moment.
    await pause(longest * (0.5 + Math.random() / 2));
  }
}
