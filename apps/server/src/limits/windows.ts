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

/** Windows of this process alone. */
export function createWindows(now: Clock): Windows {
  let windows = new Map<string, { count: number; endsAt: number }>();
  let prunedAt = now();

  function prune(time: number): void {
    if (time - prunedAt < MINUTE) return;
    prunedAt = time;
    windows = new Map([...windows].filter(([, { endsAt }]) => endsAt > time));
  }

  return {
    async count(key, length) {
      const time = now();
      prune(time);
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= time || window.endsAt > time + length) {
        window = { count: 0, endsAt: time + length };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, endsIn: window.endsAt - time };
    },
    close: async () => {},
  };
}
