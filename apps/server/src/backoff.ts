/**
 * Exponential backoff: `first`, doubled after each of the first ten failures, at most `longest`. In
 * milliseconds.
 */
export function backoff(failures: number, first: number, longest: number): number {
  return Math.min(longest, first * 2 ** Math.min(failures, 10));
}
