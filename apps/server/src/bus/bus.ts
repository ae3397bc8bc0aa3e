/** Tells that something changed; whoever hears it reads again from the database. */
export type Change =
  | { readonly topic: "order"; readonly id: string; readonly version: number }
  | { readonly topic: "catalogue" };

/** Carries changes to every server process. A change may be lost or doubled; it is a hint to read, never the data. */
export interface Bus {
  /** The listeners of this process have heard it when this returns; those of others hear it soon. */
  publish(change: Change): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: (change: Change) => void): () => void;
  close(): Promise<void>;
}
