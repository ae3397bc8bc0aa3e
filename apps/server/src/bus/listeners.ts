import type { Bus, Change } from "./bus.ts";

/** The listeners of one process. */
export interface Listeners extends Pick<Bus, "subscribe"> {
  tell(change: Change): void;
  clear(): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<(change: Change) => void>();
  return {
    tell(change) {
      for (const listener of listeners) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
