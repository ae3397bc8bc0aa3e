import type { Change } from "./bus.ts";

/** The most orders that one message names: PostgreSQL takes 8,000 bytes, and an order is some 50 of them. */
const ORDERS_PER_MESSAGE = 100;
/** More than this is not kept for a line that is away: "anything may have changed" says it all. */
const MOST_KEPT = 10_000;

/** What one process tells the others in one message. */
export interface Batch {
  readonly orders: readonly (readonly [id: string, version: number])[];
  readonly catalogue: boolean;
  readonly gap: boolean;
}

/** Gathers changes until they can be sent; of each order only the newest version is kept. */
export interface Outbox {
  add(change: Change): void;
  /** Takes what goes into the next message; `undefined` when there is nothing. */
  take(): Batch | undefined;
  /** Puts back what could not be sent. */
  putBack(batch: Batch): void;
}

export function createOutbox(): Outbox {
  let orders = new Map<string, number>();
  let catalogue = false;
  let gap = false;

  function addOrder(id: string, version: number): void {
    orders.set(id, Math.max(version, orders.get(id) ?? 0));
    if (orders.size <= MOST_KEPT) return;
    orders = new Map();
    gap = true;
  }

  return {
    add(change) {
      if (change.topic === "order") addOrder(change.id, change.version);
      else if (change.topic === "catalogue") catalogue = true;
      else gap = true;
    },
    take() {
      if (orders.size === 0 && !catalogue && !gap) return undefined;
      const batch = { orders: [...orders].slice(0, ORDERS_PER_MESSAGE), catalogue, gap };
      for (const [id] of batch.orders) orders.delete(id);
      catalogue = false;
      gap = false;
      return batch;
    },
    putBack(batch) {
      for (const [id, version] of batch.orders) addOrder(id, version);
      catalogue ||= batch.catalogue;
      gap ||= batch.gap;
    },
  };
}
