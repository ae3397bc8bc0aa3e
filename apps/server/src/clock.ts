/** The time, in epoch milliseconds; handed in so that tests can set it. */
export type Clock = () => number;

/** Epoch milliseconds → the whole epoch seconds that go on the wire. */
export function epochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
