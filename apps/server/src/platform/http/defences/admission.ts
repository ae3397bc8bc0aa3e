import type { Clock } from "../../scheduling/clock.ts";
import { createTokenBucket } from "../../scheduling/token-bucket.ts";

/** The interval at which waiting callers are admitted, in milliseconds. */
const STEP = 5;

/** The rate limit of new subscribers. */
export interface AdmissionLimits {
  readonly perSecond: number;
  /** How many are admitted at once after an idle time. */
  readonly burst: number;
  readonly maxWaiting: number;
}

/** A rate limiter with a queue. Neither Node nor `ws` limits the rate of handshakes. */
export function createAdmission({ perSecond, burst, maxWaiting }: AdmissionLimits, now: Clock) {
  let waiting: (() => void)[] = [];
  const bucket = createTokenBucket({ perSecond, capacity: burst }, now);
  let timer: NodeJS.Timeout | undefined;

  function step(): void {
    const next = waiting.splice(0, bucket.free());
    bucket.take(next.length);
    if (waiting.length === 0) stop();
    for (const enter of next) enter();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /**
     * Calls `enter` at once if the rate allows it, otherwise later. Returns false if the queue is
     * full.
     */
    admit(enter: () => void): boolean {
      if (waiting.length === 0 && bucket.free() > 0) {
        bucket.take(1);
        enter();
        return true;
      }
      if (waiting.length >= maxWaiting) return false;
      waiting.push(enter);
      timer ??= setInterval(step, STEP);
      return true;
    },
    /** Admits all waiting callers at once. */
    close(): void {
      stop();
      const all = waiting;
      waiting = [];
      for (const enter of all) enter();
    },
  };
}

/**
 * Calls `act` for each element, evenly over a duration.
 *
 * @param over the duration in milliseconds; with 0 all calls are made before it returns
 * @returns a promise that resolves after the last call
 */
export function spread<T>(all: Iterable<T>, over: number, act: (one: T) => void): Promise<void> {
  const left = [...all];
  const steps = Math.min(Math.ceil(over / STEP), left.length);
  if (steps === 0) {
    for (const one of left) act(one);
    return Promise.resolve();
  }
  const each = left.length / steps;
  let taken = 0;
  return new Promise((resolve) => {
    let step = 0;
    const timer = setInterval(() => {
      step += 1;
      const until = step === steps ? left.length : Math.round(step * each);
      for (const one of left.slice(taken, until)) act(one);
      taken = until;
      if (step < steps) return;
      clearInterval(timer);
      resolve();
    }, over / steps);
  });
}
