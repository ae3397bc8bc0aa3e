import type { Bus, Change } from "./bus.ts";

/** A bus for a shop of one server process: `publish` calls all subscribers before it returns. */
export function createInProcessBus(): Bus {
  const listeners = createListeners();
  return {
    publish: listeners.notify,
    subscribe: listeners.subscribe,
    health: { connected: true, lag: 0 },
    close: async () => listeners.clear(),
  };
}

/** The subscribers within one process. */
export interface Listeners extends Pick<Bus, "subscribe"> {
  notify(change: Change): void;
  clear(): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<(change: Change) => void>();
  return {
    notify(change) {
      for (const listener of listeners) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
