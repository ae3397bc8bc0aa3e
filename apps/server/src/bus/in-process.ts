import type { Bus } from "./bus.ts";
import { createListeners } from "./listeners.ts";

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
