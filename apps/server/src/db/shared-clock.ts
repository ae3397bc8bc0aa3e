import { type Clock, elapsed } from "../clock.ts";

/** The time that all processes on one database agree on, in whole epoch milliseconds. */
export interface SharedClock {
  readonly now: Clock;
  close(): void;
}

/** How often the clock is compared with the database's, in milliseconds. */
const COMPARED_EVERY = 30_000;

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
  async function measure(): Promise<number> {
    const sent = elapsed();
    const time = await readTime();
    return time - (sent + elapsed()) / 2;
  }
  let origin = await measure();
  const timer = setInterval(() => {
    // Until the database answers again, this process's own measure of time goes on.
    measure().then(
      (measured) => {
        origin = measured;
      },
      () => {},
    );
  }, COMPARED_EVERY);
  timer.unref();
  return { now: () => Math.round(origin + elapsed()), close: () => clearInterval(timer) };
}
