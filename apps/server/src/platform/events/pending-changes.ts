import type { Change, WholeTopic } from "./bus.ts";

/** PostgreSQL limits a notification to 8,000 bytes, and an order needs about 50. */
const ORDERS_PER_MESSAGE = 100;

/** The content of one message. */
export interface Batch {
  readonly orders: readonly (readonly [id: string, version: number])[];
  readonly topics: readonly WholeTopic[];
  readonly gap: boolean;
}

/** Collects changes until they are sent; keeps only the newest version of each order. */
export function createPendingChanges() {
  const orders = new Map<string, number>();
  let topics = new Set<WholeTopic>();
  let gap = false;

  return {
    add(change: Change): void {
      if (change.topic === "order")
        orders.set(change.id, Math.max(change.version, orders.get(change.id) ?? 0));
      else if (change.topic === "gap") gap = true;
      else topics.add(change.topic);
    },
    /** Removes the content of the next message; `undefined` if nothing is pending. */
    take(): Batch | undefined {
      if (orders.size === 0 && topics.size === 0 && !gap) return undefined;
      const batch = { orders: [...orders].slice(0, ORDERS_PER_MESSAGE), topics: [...topics], gap };
      for (const [id] of batch.orders) orders.delete(id);
      topics = new Set();
      gap = false;
      return batch;
    },
  };
}
