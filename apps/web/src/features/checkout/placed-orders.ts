import type { Cents } from "@keepsats/domain";
import { type PlacedOrder, placedOrderSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";
import { savedText, saveText } from "../../lib/session-storage.ts";

/** An order that was placed and whose purchase is not complete; amounts in cents. */
export interface PlacedOrderState {
  readonly order: PlacedOrder;
  /** The total that the shopper had seen, where the shop's prices had changed since. */
  readonly totalBefore?: Cents | undefined;
  /** The contract that pays it, once the widget has reported it. */
  readonly contractId?: string | undefined;
  /** The basket was changed after it, before a loan paid it. Its window may still be open, so a loan may come yet. */
  readonly superseded?: boolean | undefined;
  /** What it bought is in the basket. The basket is gone after a reload, and so is this. */
  readonly inBasket?: boolean;
}

/** The placed orders of this tab, oldest first. They survive a reload. */
export interface PlacedOrders {
  readonly store: StoreApi<readonly PlacedOrderState[]>;
  /** Adds a new order. @param expected the total that the shopper saw, in cents */
  add(order: PlacedOrder, expected: Cents): void;
  /** Notes which contract pays an order. @returns false for an order that was not placed here, which is not noted */
  pay(orderId: string, contractId: string): boolean;
  /** The basket was changed: orders placed before no longer belong to it. */
  supersede(): void;
  /** Removes an order whose purchase is complete. */
  remove(orderId: string): void;
}

const storageKey = "keepsats-placed-orders";
const MOST = 10;
const storedSchema = z.array(
  z.object({
    order: placedOrderSchema,
    totalBefore: z.optional(z.number()),
    contractId: z.optional(z.string()),
    superseded: z.optional(z.boolean()),
  }),
);

export function createPlacedOrders(): PlacedOrders {
  const store = createStore<readonly PlacedOrderState[]>(read);

  function keep(orders: readonly PlacedOrderState[]): void {
    store.setState(orders, true);
    saveText(
      storageKey,
      orders.length === 0 ? undefined : JSON.stringify(z.encode(storedSchema, [...orders])),
    );
  }

  return {
    store,
    add(order, expected) {
      const totalBefore = order.total_price === expected ? undefined : expected;
      keep([...store.getState(), { order, totalBefore, inBasket: true }].slice(-MOST));
    },
    pay(orderId, contractId) {
      const orders = store.getState();
      if (!orders.some(({ order }) => order.id === orderId)) return false;
      keep(orders.map((placed) => (placed.order.id === orderId ? { ...placed, contractId } : placed)));
      return true;
    },
    supersede() {
      const orders = store.getState();
      if (orders.some(({ superseded }) => superseded !== true))
        keep(orders.map((placed) => ({ ...placed, superseded: true })));
    },
    remove(orderId) {
      keep(store.getState().filter(({ order }) => order.id !== orderId));
    },
  };
}

/** The order that the checkout shows: one that a loan pays, or else the last one, unless the basket was changed after it. */
export function shownOrder(orders: readonly PlacedOrderState[]): PlacedOrderState | undefined {
  return (
    orders.find(({ contractId }) => contractId !== undefined) ??
    orders.findLast(({ superseded }) => superseded !== true)
  );
}

function read(): readonly PlacedOrderState[] {
  try {
    return storedSchema.safeParse(JSON.parse(savedText(storageKey) ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}
