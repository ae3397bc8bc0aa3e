/**
 * By how many milliseconds the shared clock is ahead of the provider's; `undefined` if that is not
 * known.
 */
export type ClockAhead = () => number | undefined;

const TOLERANCE = 5 * 60_000;

/**
 * Whether the shared clock differs so little from the provider's that terms of hours and days may
 * end by it.
 */
export function isClockRight(ahead: number): boolean {
  return Math.abs(ahead) <= TOLERANCE;
}
