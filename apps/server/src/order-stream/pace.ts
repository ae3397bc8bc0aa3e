import type { Clock } from "../clock.ts";

/** How often those who wait are looked at, in milliseconds. */
const STEP = 5;

/** How fast followers come in. */
export interface Pace {
  readonly perSecond: number;
  /** How many may come at once after a quiet time. */
  readonly burst: number;
  /** How many may wait for their turn. */
  readonly mostWaiting: number;
}

/** Lets things happen at a bounded rate. */
export interface Admission {
  /** Calls `enter` when it is its turn, at once where nobody waits. @returns whether there was room for it */
  admit(enter: () => void): boolean;
  /** Lets all who wait in at once. */
  close(): void;
}

/** An {@link Admission} with room for so many in line. */
export function createAdmission({ perSecond, burst, mostWaiting }: Pace, now: Clock): Admission {
  let waiting: (() => void)[] = [];
  let allowed = burst;
  let countedAt = now();
  let timer: NodeJS.Timeout | undefined;

  function count(): void {
    const time = now();
    allowed = Math.min(burst, allowed + ((time - countedAt) * perSecond) / 1000);
    countedAt = time;
  }

  function step(): void {
    count();
    const next = waiting.splice(0, Math.floor(allowed));
    allowed -= next.length;
    if (waiting.length === 0) stop();
    for (const enter of next) enter();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    admit(enter) {
      count();
      if (waiting.length === 0 && allowed >= 1) {
        allowed -= 1;
        enter();
        return true;
      }
      if (waiting.length >= mostWaiting) return false;
      waiting.push(enter);
      timer ??= setInterval(step, STEP);
      return true;
    },
    close() {
      stop();
      const all = waiting;
      waiting = [];
      for (const enter of all) enter();
    },
  };
}

/**
 * Does something with each of many, evenly spread over a time.
 *
 * @param over in milliseconds; 0 is at once, before it returns
 * @returns a promise of all being done
 */
export function spread<T>(all: Iterable<T>, over: number, act: (one: T) => void): Promise<void> {
  const left = [...all];
  if (over === 0) {
    for (const one of left) act(one);
    return Promise.resolve();
  }
  const steps = Math.ceil(over / STEP);
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
    }, STEP);
  });
}
