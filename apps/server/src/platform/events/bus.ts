/**
 * Topics without details: a subscriber reads all of it again. `stock`: the availability that
 * customers see. `sessions`: the open sessions of the admin. `payment_issues`: one was opened.
 * `admin`: the admin API has changed something. `failed`: a delivery has failed.
 */
export const wholeTopics = [
  "catalogue",
  "stock",
  "shop",
  "webhooks",
  "order-keys",
  "sessions",
  "payment_issues",
  "admin",
  "failed",
] as const;
export type WholeTopic = (typeof wholeTopics)[number];

/** A notification of a change. Subscribers read the new state from the database. */
export type Change =
  | { readonly topic: "order"; readonly id: string; readonly version: number }
  | { readonly topic: WholeTopic }
  /** The bus was disconnected, and changes may have been missed: read everything again. */
  | { readonly topic: "gap" };

/**
 * Publishes changes to all server processes. A change may be lost or delivered twice; it never
 * carries data.
 */
export interface Bus {
  /** Calls the subscribers of this process before it returns, and those in other processes later. */
  publish(change: Change): void;
  /** @returns a function that unsubscribes */
  subscribe(listener: (change: Change) => void): () => void;
  /**
   * For `/readyz` and the metrics. `lag`: the time from sending the last message to receiving it
   * back, in milliseconds.
   */
  readonly health: { readonly connected: boolean; readonly lag: number };
  close(): Promise<void>;
}

/** The bus of a single server process. */
export function createInProcessBus(): Bus {
  const listeners = createListeners();
  return {
    publish: listeners.notify,
    subscribe: listeners.subscribe,
    health: { connected: true, lag: 0 },
    close: async () => listeners.clear(),
  };
}

/** The subscribers of one process. */
export function createListeners() {
  const listeners = new Set<(change: Change) => void>();
  return {
    notify(change: Change): void {
      for (const listener of listeners) listener(change);
    },
    subscribe(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
