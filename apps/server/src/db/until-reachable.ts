import { setTimeout as pause } from "node:timers/promises";
import { DatabaseUnreachable } from "./database.ts";

/** How long until the next attempt, in milliseconds: doubled each time, up to the longest. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

/**
 * Opens a database, and tries again for as long as it cannot be reached, as when its machine starts at the same time.
 * Anything else that is wrong with it, such as a password, is no reason to wait.
 *
 * @param onWaiting is called once, with what is wrong, before the first pause
 */
export async function untilReachable<T>(
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
    const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures);
    // Many servers that wait for one database do not all come at once.
    await pause(longest * (0.5 + Math.random() / 2));
  }
}
