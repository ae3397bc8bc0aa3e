import type { Clock } from "./clock.ts";

/** A token bucket of one process: it limits how many things begin per second. */
export interface TokenBucket {
  /** How many may begin now. */
  free(): number;
  take(count: number): void;
  /** The time until `count` may begin, in milliseconds; 0 for now. */
  waitFor(count: number): number;
}

/**
 * Creates a full {@link TokenBucket}.
 *
 * @param capacity how many may begin at once after a quiet time
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
