import { type Clock, elapsed } from "../clock.ts";

/** A clock that all processes on one database share, in whole epoch milliseconds. */
export interface SharedClock {
  readonly now: Clock;
  close(): void;
}

/** How often the clock is synchronised with the database's, in milliseconds. */
const SYNC_INTERVAL = 30_000;
/** A measurement that took longer than this many milliseconds is too inaccurate to use. */
const MAX_ROUND_TRIP = 500;

/** A clock for one process. It starts at the machine's time and does not jump when that is set. */
export function steadyClock(): Clock {
  const origin = Date.now() - elapsed();
  return () => Math.round(origin + elapsed());
}

/**
 * A clock that follows the database server's. The clocks of all processes agree to within the
 * duration of a query, even when the clocks of their machines differ.
 *
 * @param readTime reads the database server's time, in epoch milliseconds
 */
export async function followDatabaseClock(readTime: () => Promise<number>): Promise<SharedClock> {
  async function measure(): Promise<{ origin: number; took: number }> {
    const sent = elapsed();
    const time = await readTime();
    const answered = elapsed();
    return { origin: time - (sent + answered) / 2, took: answered - sent };
  }
  let { origin } = await measure();
  const timer = setInterval(() => {
    // After a failure the clock continues by this process's monotonic clock.
    measure().then(
      (measured) => {
        // A slow answer may include a wait for a connection, so the moment of the reading is
        // unknown.
        if (measured.took < MAX_ROUND_TRIP) origin = measured.origin;
      },
      () => {},
    );
  }, SYNC_INTERVAL);
  timer.unref();
  return { now: () => Math.round(origin + elapsed()), close: () => clearInterval(timer) };
}
