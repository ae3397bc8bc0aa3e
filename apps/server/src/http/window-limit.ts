import type { Clock } from "../clock.ts";

/** Counts what each address does within a minute. */
export type WindowLimit = (address: string) => boolean;

const WINDOW = 60_000;

/**
 * A limit per address and minute; the minute begins with the address's first act in it.
 *
 * @returns a function that counts one act and tells whether it is within the limit
 */
export function createWindowLimit(limit: number, now: Clock): WindowLimit {
  let windows = new Map<string, { count: number; endsAt: number }>();
  let prunedAt = now();

  function prune(time: number): void {
    if (time - prunedAt < WINDOW) return;
    prunedAt = time;
    windows = new Map([...windows].filter(([, { endsAt }]) => endsAt > time));
  }

  return (address) => {
    const time = now();
    prune(time);
    const window = windows.get(address);
    if (window === undefined || window.endsAt <= time) {
      windows.set(address, { count: 1, endsAt: time + WINDOW });
      return true;
    }
    window.count += 1;
    return window.count <= limit;
  };
}
