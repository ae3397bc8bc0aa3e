/** The time, in epoch milliseconds; handed in so that tests can set it. */
export type Clock = () => number;

/** Milliseconds since some moment, for what is measured in one process: it never jumps, whatever is done to the clock. */
export const elapsed: Clock = () => performance.now();

/**
 * The furthest that a time which this shop has stored may lie ahead, in milliseconds. One that lies further ahead was
 * stored before the clock was set back, and is over.
 */
export const FURTHEST_AHEAD = 10 * 60_000;

/** Epoch milliseconds → the whole epoch seconds that go on the wire. */
export function epochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
