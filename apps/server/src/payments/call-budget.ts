import type { Clock } from "../clock.ts";

/** What a call is for: what everybody waits for, a contract that pays an order, or one that may be made up. */
export type Importance = "urgent" | "bound" | "unbound";

/** How many calls must be left for one of each importance. */
const needed: Readonly<Record<Importance, number>> = { urgent: 1, bound: 2, unbound: 3 };

/** Spaces the calls to the provider: so many a second, none while the provider has asked for a pause. */
export interface CallBudget {
  /** @returns whether a call of this importance may be made now; it counts as made */
  take(importance: Importance): boolean;
  /** Lets no call pass for this many milliseconds. */
  pause(milliseconds: number): void;
}

/** A token bucket that holds one second's worth of calls; the last of them are for what matters most. */
export function createCallBudget(callsPerSecond: number, now: Clock): CallBudget {
  let tokens = callsPerSecond;
  let refilledAt = now();
  let pausedUntil = 0;
  return {
    take(importance) {
      const time = now();
      const elapsed = Math.max(0, time - refilledAt);
      tokens = Math.min(callsPerSecond, tokens + (elapsed * callsPerSecond) / 1000);
      refilledAt = time;
      if (time < pausedUntil || tokens < needed[importance]) return false;
      tokens -= 1;
      return true;
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}
