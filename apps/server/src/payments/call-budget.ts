import type { Clock } from "../clock.ts";

/** What a call is for: what everybody waits for, a contract that pays an order, or one that may be made up. */
export type Importance = "urgent" | "bound" | "unbound";

/** How many calls must be left for one of each importance. */
const needed: Readonly<Record<Importance, number>> = { urgent: 1, bound: 2, unbound: 3 };

/** So many calls a second to unbound contracts wait for nobody: they are of shoppers who have just paid. */
const UNBOUND_SHARE = 1;

/** Spaces the calls to the provider: so many a second, none while the provider has asked for a pause. */
export interface CallBudget {
  /** @returns whether a call of this importance may be made now; it counts as made */
  take(importance: Importance): boolean;
  /** Lets no call pass for this many milliseconds. */
  pause(milliseconds: number): void;
}

/** A token bucket that holds one second's worth of calls; the last of them are for what matters most. */
export function createCallBudget(callsPerSecond: number, now: Clock): CallBudget {
  const calls = createBucket(callsPerSecond, now);
  const share = createBucket(UNBOUND_SHARE, now);
  let pausedUntil = 0;
  return {
    take(importance) {
      if (now() < pausedUntil) return false;
      const first = importance === "unbound" && share.left() >= 1;
      if (calls.left() < (first ? 1 : needed[importance])) return false;
      calls.take();
      if (first) share.take();
      return true;
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}

/** A bucket that fills by `perSecond` tokens a second, up to as many. */
function createBucket(perSecond: number, now: Clock) {
  let tokens = perSecond;
  let filledAt = now();
  return {
    left(): number {
      const time = now();
      const elapsed = Math.max(0, time - filledAt);
      tokens = Math.min(perSecond, tokens + (elapsed * perSecond) / 1000);
      filledAt = time;
      return tokens;
    },
    take(): void {
      tokens -= 1;
    },
  };
}
