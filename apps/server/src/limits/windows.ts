import type { Clock } from "../clock.ts";

/** How long windows last, in milliseconds. */
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** What has happened in the present window of a key, the act just counted included. */
export interface Window {
  readonly count: number;
  /** Until it is over, in milliseconds. */
  readonly endsIn: number;
}

/** Counts acts by key, such as "orders of an address". */
export interface Windows {
  /** Counts one act in a window of so many milliseconds, which begins with the first act in it. */
  count(key: string, length: number): Promise<Window>;
  close(): Promise<void>;
}

/** How many windows of one length are kept: some 40 MB. */
const MOST_KEPT = 200_000;
/** How many windows are looked at with each act, whether they are over: more than one, so that fewer are left each time. */
const LOOKED_AT = 2;

interface Kept {
  count: number;
  readonly endsAt: number;
}

/**
 * Windows of this process alone.
 *
 * @param mostKept how many windows of one length are kept; where there are more, the oldest ones are forgotten
 */
export function createWindows(now: Clock, mostKept = MOST_KEPT): Windows {
  /** By their length: a map keeps the order in which they began, so that those that end first come first. */
  const byLength = new Map<number, Map<string, Kept>>();

  function ofLength(length: number): Map<string, Kept> {
    const windows = byLength.get(length) ?? new Map<string, Kept>();
    byLength.set(length, windows);
    return windows;
  }

  return {
    async count(key, length) {
      const time = now();
      const windows = ofLength(length);
      prune(windows, time);
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= time || window.endsAt > time + length) {
        window = { count: 0, endsAt: time + length };
        windows.delete(key);
        if (windows.size >= mostKept) deleteOldest(windows);
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, endsIn: window.endsAt - time };
    },
    close: async () => {},
  };
}

/** Deletes a few of the windows that are over: all at once might be many. */
function prune(windows: Map<string, Kept>, time: number): void {
  let looked = 0;
  for (const [key, { endsAt }] of windows) {
    if (looked === LOOKED_AT || endsAt > time) return;
    windows.delete(key);
    looked += 1;
  }
}

function deleteOldest(windows: Map<string, Kept>): void {
  for (const key of windows.keys()) {
    windows.delete(key);
    return;
  }
}
