/** Returns the time in epoch milliseconds. It is handed in, so that tests can set it. */
export type Clock = () => number;

/** The monotonic clock of this process, in milliseconds since its start: for durations. Setting the time does not affect it. */
export const elapsed: Clock = () => performance.now();

/** Epoch milliseconds → whole epoch seconds, as the API has them. */
export function epochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
