/**
 * Exponential backoff in milliseconds: `first`, doubled after each of the first ten failures, at
 * most `max`.
 */
export function backoff(failures: number, first: number, max: number): number {
  return Math.min(max, first * 2 ** Math.min(failures, 10));
}
