import type { Clock } from "../clock.ts";

/** Spaces the calls to the provider: so many a second, none while the provider has asked for a pause. */
export interface CallBudget {
  /**
   * @param urgent the call may have the one that is kept back for such calls
   * @returns whether a call may be made now; it counts as made
   */
  take(urgent: boolean): boolean;
  /** Lets no call pass for this many milliseconds. */
  pause(milliseconds: number): void;
}

/** A token bucket that holds one second's worth of calls; the last one in it is for what is urgent. */
export function createCallBudget(callsPerSecond: number, now: Clock): CallBudget {
  let tokens = callsPerSecond;
  let refilledAt = now();
  let pausedUntil = 0;
  return {
    take(urgent) {
      const time = now();
      const elapsed = Math.max(0, time - refilledAt);
      tokens = Math.min(callsPerSecond, tokens + (elapsed * callsPerSecond) / 1000);
      refilledAt = time;
      if (time < pausedUntil || tokens < (urgent ? 1 : 2)) return false;
      tokens -= 1;
      return true;
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}
