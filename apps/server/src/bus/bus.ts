/**
 * What is small enough to be read again as a whole when any part of it has changed. `stock`: what
 * shoppers are told of the pieces that are left. `sessions`: who is signed in at the desk.
 * `payment_issues`: one was opened. `merchant`: something was changed by the merchant API.
 * `given-up`: a letter or a message to a webhook was given up.
 */
export const wholeTopics = [
  "catalogue",
  "stock",
  "shop",
  "tokens",
  "webhooks",
  "order-keys",
  "sessions",
  "payment_issues",
  "merchant",
  "given-up",
] as const;
export type WholeTopic = (typeof wholeTopics)[number];

/** A notification that something has changed. Subscribers read the new state from the database. */
export type Change =
  | { readonly topic: "order"; readonly id: string; readonly version: number }
  | { readonly topic: WholeTopic }
  /** The bus was disconnected, so changes may have been missed: read everything again. */
  | { readonly topic: "gap" };

/**
 * Publishes changes to all server processes. A change may be lost or delivered twice; it never
 * carries data.
 */
export interface Bus {
  /** Calls the subscribers of this process before it returns; those of other processes follow. */
  publish(change: Change): void;
  /** @returns a function that unsubscribes */
  subscribe(listener: (change: Change) => void): () => void;
  readonly health: BusHealth;
  close(): Promise<void>;
}

/** The state of the bus, for `/readyz` and the metrics. */
export interface BusHealth {
  readonly connected: boolean;
  /** The time from sending the last message to receiving it back, in milliseconds. */
  readonly lag: number;
}
