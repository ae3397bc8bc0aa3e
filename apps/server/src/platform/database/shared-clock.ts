import { type Clock, elapsed } from "../scheduling/clock.ts";

/** In whole epoch milliseconds. */
export interface SharedClock {
  readonly now: Clock;
  close(): void;
}

/** The interval of synchronisation with the database server, in milliseconds. */
const SYNC_INTERVAL = 30_000;
/** A measurement that took longer than this many milliseconds is too inaccurate to use. */
const MAX_ROUND_TRIP = 500;

/** The clock of a single process. It does not jump when the machine's time is set. */
export function steadyClock(): Clock {
  const origin = Date.now() - elapsed();
  return () => Math.round(origin + elapsed());
}

/**
 * A clock that follows the database server's. All processes agree to within the duration of a
 * query, even if the clocks of their machines differ.
 *
 * @param readTime epoch milliseconds of the database server
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
    // After a failure it continues with the monotonic clock of the process.
    measure().then(
      (measured) => {
        // A slow query may have waited for a connection, so the moment of the reading is unknown.
        if (measured.took < MAX_ROUND_TRIP) origin = measured.origin;
      },
      () => {},
    );
  }, SYNC_INTERVAL);
  timer.unref();
  return { now: () => Math.round(origin + elapsed()), close: () => clearInterval(timer) };
}
