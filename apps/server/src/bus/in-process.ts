import type { Bus, Change } from "./bus.ts";

/** A bus for one server process: every listener has heard a change when `publish` returns. */
export function createInProcessBus(): Bus {
  const listeners = new Set<(change: Change) => void>();
  return {
    publish(change) {
      for (const listener of listeners) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
    },
  };
}
