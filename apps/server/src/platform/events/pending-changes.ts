import type { Change, WholeTopic } from "./bus.ts";

/** PostgreSQL limits a notification to 8,000 bytes, and an order needs about 50. */
const ORDERS_PER_MESSAGE = 100;
/** With more orders, while the bus is disconnected, one `gap` replaces all of them. */
const MAX_ORDERS = 10_000;

/** The content of one message. */
export interface Batch {
  readonly orders: readonly (readonly [id: string, version: number])[];
  readonly topics: readonly WholeTopic[];
  readonly gap: boolean;
}

/** Collects changes until they are sent; keeps only the newest version of each order. */
export function createPendingChanges() {
  let orders = new Map<string, number>();
  let topics = new Set<WholeTopic>();
  let gap = false;

  function addOrder(id: string, version: number): void {
    orders.set(id, Math.max(version, orders.get(id) ?? 0));
    if (orders.size <= MAX_ORDERS) return;
    orders = new Map();
    gap = true;
  }

  return {
    add(change: Change): void {
      if (change.topic === "order") addOrder(change.id, change.version);
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
    /** Returns a batch that could not be sent. */
    putBack(batch: Batch): void {
      for (const [id, version] of batch.orders) addOrder(id, version);
      for (const topic of batch.topics) topics.add(topic);
      gap ||= batch.gap;
    },
  };
}
