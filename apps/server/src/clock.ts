/** The time, in epoch milliseconds; handed in so that tests can set it. */
export type Clock = () => number;

/** Milliseconds since some moment, for what is measured in one process: it never jumps, whatever is done to the clock. */
export const elapsed: Clock = () => performance.now();

/** Epoch milliseconds → the whole epoch seconds that go on the wire. */
export function epochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
