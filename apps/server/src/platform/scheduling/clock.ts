/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

/** Returns epoch milliseconds. Injected, so that tests can set the time. */
export type Clock = () => number;

/**
 * By how many milliseconds the shared clock is ahead of another party's, such as the loan
 * provider's; `undefined` if unknown.
 */
export type ClockAhead = () => number | undefined;

const CLOCK_TOLERANCE = 5 * MINUTE;

/** Whether a clock is accurate enough for terms of hours and days. */
export function isClockRight(ahead: number): boolean {
  return Math.abs(ahead) <= CLOCK_TOLERANCE;
}

/**
 * The monotonic clock of this process, in milliseconds since its start: for durations, which
 * changes of the system time must not affect.
 */
export const elapsed: Clock = () => performance.now();

/**
 * Resolves with the result of `work`, or rejects after `timeout` milliseconds. Does not cancel the
 * work.
 *
 * @param timeout in milliseconds
 * @param who the subject of the error's message. Example: "the shared counter" gives "the shared
 *   counter did not answer within 500 ms"
 */
export async function withTimeout<T>(work: Promise<T>, timeout: number, who: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new Error(`${who} did not answer within ${timeout} ms`));
  const timer = setTimeout(fail, timeout).unref();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The interval of synchronisation with the database server, in milliseconds. */
const SYNC_INTERVAL = 30_000;
/** A measurement that took longer than this many milliseconds is too inaccurate to use. */
const MAX_ROUND_TRIP = 500;

/**
 * The clock of a single process, in whole epoch milliseconds. It does not jump when the machine's
 * time is set.
 */
export function steadyClock(): Clock {
  const origin = Date.now() - elapsed();
  return () => Math.round(origin + elapsed());
}

/**
 * A clock that follows the database server's, in whole epoch milliseconds. All processes agree to
 * within the duration of a query, even if the clocks of their machines differ.
 *
 * @param readTime epoch milliseconds of the database server
 */
export async function followDatabaseClock(readTime: () => Promise<number>) {
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
  }, SYNC_INTERVAL).unref();
  return { now: () => Math.round(origin + elapsed()), close: () => clearInterval(timer) };
}

/**
 * Exponential backoff in milliseconds: `first`, doubled after each of the first ten failures, at
 * most `max`.
 */
export function backoff(failures: number, first: number, max: number): number {
  return Math.min(max, first * 2 ** Math.min(failures, 10));
}
