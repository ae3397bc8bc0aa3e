/** Tells that something changed; whoever hears it reads again from the database. */
export type Change =
  | { readonly topic: "order"; readonly id: string; readonly version: number }
  | { readonly topic: "catalogue" }
  /** The bus was away: anything may have changed. */
  | { readonly topic: "gap" };

/** Carries changes to every server process. A change may be lost or doubled; it is a hint to read, never the data. */
export interface Bus {
  /** The listeners of this process have heard it when this returns; those of others hear it soon. */
  publish(change: Change): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: (change: Change) => void): () => void;
  readonly health: BusHealth;
  close(): Promise<void>;
}

/** How a bus does. */
export interface BusHealth {
  readonly connected: boolean;
  /** How long the last message took to come round to its sender, in milliseconds. */
  readonly lag: number;
}
