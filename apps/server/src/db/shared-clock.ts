import { type Clock, elapsed } from "../clock.ts";

/** The time that all processes on one database agree on, in whole epoch milliseconds. */
export interface SharedClock {
  readonly now: Clock;
  close(): void;
}

/** How often the clock is compared with the database's, in milliseconds. */
const COMPARED_EVERY = 30_000;
/** A comparison that takes longer than this tells nothing, in milliseconds. */
const TOO_LONG = 500;

/** A clock of this process alone. It does not jump when the machine's clock is set. */
export function steadyClock(): Clock {
  const origin = Date.now() - elapsed();
  return () => Math.round(origin + elapsed());
}

/**
 * A clock that follows the database's. Whatever the clocks of the machines say, all processes agree on it to within the
 * time that a query takes.
 *
 * @param readTime asks the database for its time, in epoch milliseconds
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
    // Until the database answers again, this process's own measure of time goes on.
    measure().then(
      (measured) => {
        // Whoever had to wait for a connection does not know when it was answered.
        if (measured.took < TOO_LONG) origin = measured.origin;
      },
      () => {},
    );
  }, COMPARED_EVERY);
  timer.unref();
  return { now: () => Math.round(origin + elapsed()), close: () => clearInterval(timer) };
}
