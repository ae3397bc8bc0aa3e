import type { Clock } from "../clock.ts";

/** How long a window lasts, in milliseconds; it begins with the first act in it. */
export const WINDOW = 60_000;

/** What has happened in the present window of a key, the act just counted included. */
export interface Window {
  readonly count: number;
  /** Until it is over, in milliseconds. */
  readonly endsIn: number;
}

/** Counts acts by key, such as "orders of an address", in windows of a minute. */
export interface Windows {
  count(key: string): Promise<Window>;
  close(): Promise<void>;
}

/** Windows of this process alone. */
export function createWindows(now: Clock): Windows {
  let windows = new Map<string, { count: number; endsAt: number }>();
  let prunedAt = now();

  function prune(time: number): void {
    if (time - prunedAt < WINDOW) return;
    prunedAt = time;
    windows = new Map([...windows].filter(([, { endsAt }]) => endsAt > time));
  }

  return {
    async count(key) {
      const time = now();
      prune(time);
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= time || window.endsAt > time + WINDOW) {
        window = { count: 0, endsAt: time + WINDOW };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, endsIn: window.endsAt - time };
    },
    close: async () => {},
  };
}
