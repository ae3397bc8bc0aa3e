import type { Bus } from "./bus.ts";
import { createListeners } from "./listeners.ts";

/** A bus for one server process: every listener has heard a change when `publish` returns. */
export function createInProcessBus(): Bus {
  const listeners = createListeners();
  return {
    publish: listeners.tell,
    subscribe: listeners.subscribe,
    health: { connected: true, lag: 0 },
    close: async () => listeners.clear(),
  };
}
