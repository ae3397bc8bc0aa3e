import type { Clock } from "../scheduling/clock.ts";

/** Lengths of windows, in milliseconds. */
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** The current window of a key. */
export interface Window {
  /** The number of requests, including the one just counted. */
  readonly count: number;
  /** In milliseconds. */
  readonly endsIn: number;
}

/** Fixed-window counters by key, such as `orders:203.0.113.7`. */
export interface Windows {
  /** Counts one request. A window of `length` milliseconds begins with the first request in it. */
  count(key: string, length: number): Promise<Window>;
  close(): Promise<void>;
}

/** The maximum number of windows of one length in memory: about 40 MB. */
const MAX_WINDOWS = 200_000;
/**
 * Each request deletes up to this many expired windows and adds at most one, so their number
 * shrinks.
 */
const PRUNED_PER_COUNT = 2;

interface StoredWindow {
  count: number;
  readonly endsAt: number;
}

/**
 * Windows in the memory of this process.
 *
 * @param maxWindows the maximum number of windows of one length; another one replaces the oldest
 */
export function createWindows(now: Clock, maxWindows = MAX_WINDOWS): Windows {
  /** By length. Maps keep insertion order, so of the windows of one length the first ends first. */
  const byLength = new Map<number, Map<string, StoredWindow>>();

  function ofLength(length: number): Map<string, StoredWindow> {
    const windows = byLength.get(length) ?? new Map<string, StoredWindow>();
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
        if (windows.size >= maxWindows) deleteOldest(windows);
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, endsIn: window.endsAt - time };
    },
    close: async () => {},
  };
}

/** Deletes a few expired windows; all of them could take too long for one request. */
export function prune(windows: Map<string, Pick<StoredWindow, "endsAt">>, time: number): void {
  let pruned = 0;
  for (const [key, { endsAt }] of windows) {
    if (pruned === PRUNED_PER_COUNT || endsAt > time) return;
    windows.delete(key);
    pruned += 1;
  }
}

function deleteOldest(windows: Map<string, StoredWindow>): void {
  for (const key of windows.keys()) {
    windows.delete(key);
    return;
  }
}
