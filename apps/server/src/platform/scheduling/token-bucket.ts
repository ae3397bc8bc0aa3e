import type { Clock } from "./clock.ts";

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/**
 * Limits how many things start per second in this process. The bucket is full at first.
 *
 * @param capacity how many may start at once after an idle time
 * @param now a monotonic clock, in milliseconds
 */
export function createTokenBucket(
  { perSecond, capacity }: { readonly perSecond: number; readonly capacity: number },
  now: Clock,
) {
  let tokens = capacity;
  let filledAt = now();

  function fill(): number {
    const at = now();
    tokens = Math.min(capacity, tokens + ((at - filledAt) / 1000) * perSecond);
    filledAt = at;
    return tokens;
  }

  return {
    /** How many may start now. */
    free: () => Math.floor(fill()),
    take(count: number): void {
      tokens -= count;
    },
    /** The milliseconds until `count` may start; 0 for now. */
    waitFor: (count: number) => Math.max(0, Math.ceil(((count - fill()) / perSecond) * 1000)),
  };
}
