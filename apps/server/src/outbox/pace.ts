import type { Clock } from "../clock.ts";

/** A token bucket of one process: it limits how many attempts begin per second. */
export interface Pace {
  /** How many may begin now. */
  free(): number;
  /** Counts attempts that begin. */
  took(count: number): void;
  /** The time until attempts may begin again, in milliseconds; 0 for now. */
  wait(): number;
}

/**
 * While the bucket is nearly empty, attempts begin together so many times a second, because each
 * taking costs a commit.
 */
const BATCHES_PER_SECOND = 5;

/**
 * Creates a {@link Pace} with the capacity of one second. @param now a monotonic clock, in
 * milliseconds
 */
export function createPace(perSecond: number, now: Clock): Pace {
  const capacity = Math.max(1, perSecond);
  const batch = Math.max(1, perSecond / BATCHES_PER_SECOND);
  let tokens = capacity;
  let filledAt = now();
  function fill(): void {
    const at = now();
    tokens = Math.min(capacity, tokens + ((at - filledAt) / 1000) * perSecond);
    filledAt = at;
  }
  return {
    free() {
      fill();
      return Math.floor(tokens);
    },
    took(count) {
      tokens -= count;
    },
    wait() {
      fill();
      return tokens >= batch ? 0 : Math.ceil(((batch - tokens) / perSecond) * 1000);
    },
  };
}
