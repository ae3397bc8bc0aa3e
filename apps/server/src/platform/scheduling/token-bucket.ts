import type { Clock } from "./clock.ts";

/** A token bucket limits how many things start per second in this process. */
export interface TokenBucket {
  /** How many may start now. */
  free(): number;
  take(count: number): void;
  /** The milliseconds until `count` may start; 0 for now. */
  waitFor(count: number): number;
}

/**
 * The bucket is full at first.
 *
 * @param capacity how many may start at once after an idle time
 * @param now a monotonic clock, in milliseconds
 */
export function createTokenBucket(
  { perSecond, capacity }: { readonly perSecond: number; readonly capacity: number },
  now: Clock,
): TokenBucket {
  let tokens = capacity;
  let filledAt = now();

  function fill(): number {
    const at = now();
    tokens = Math.min(capacity, tokens + ((at - filledAt) / 1000) * perSecond);
    filledAt = at;
    return tokens;
  }

  return {
    free: () => Math.floor(fill()),
    take(count) {
      tokens -= count;
    },
    waitFor: (count) => Math.max(0, Math.ceil(((count - fill()) / perSecond) * 1000)),
  };
}
