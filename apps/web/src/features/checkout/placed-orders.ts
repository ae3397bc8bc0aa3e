import type { Cents } from "@keepsats/domain";
import { type PlacedOrder, placedOrderSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";
import { savedText, saveText } from "../../lib/session-storage.ts";

/** A placed order whose purchase is not complete; amounts in cents. */
export interface PlacedOrderState {
  readonly order: PlacedOrder;
  /** The total that the shopper saw before placing the order, if it differs because prices have changed. */
  readonly totalBefore?: Cents | undefined;
  /** The contract that pays the order, once the widget has reported success. */
  readonly contractId?: string | undefined;
  /** The basket was changed after the order was placed. Its pop-up may still be open, so it may still be paid. */
  readonly superseded?: boolean | undefined;
  /**
   * The order was placed since the last reload, so completing it subtracts its items from the basket. Not stored, because a
   * reload empties the basket.
   */
  readonly inBasket?: boolean;
}

/** The placed orders of this tab, oldest first. They survive a reload. */
export interface PlacedOrders {
  readonly store: StoreApi<readonly PlacedOrderState[]>;
  /** Adds a placed order. @param expected the total that the shopper saw, in cents */
  add(order: PlacedOrder, expected: Cents): void;
  /** Stores the contract that pays an order. @returns false when the order is not one of these */
  pay(orderId: string, contractId: string): boolean;
  /** Marks all orders as superseded. Call it when the basket is changed. */
  supersede(): void;
  /** Removes an order whose purchase is complete. */
  remove(orderId: string): void;
}

const storageKey = "keepsats-placed-orders";
const MAX_ORDERS = 10;
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

  function save(orders: readonly PlacedOrderState[]): void {
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
      save([...store.getState(), { order, totalBefore, inBasket: true }].slice(-MAX_ORDERS));
    },
    pay(orderId, contractId) {
      const orders = store.getState();
      if (!orders.some(({ order }) => order.id === orderId)) return false;
      save(orders.map((placed) => (placed.order.id === orderId ? { ...placed, contractId } : placed)));
      return true;
    },
    supersede() {
      const orders = store.getState();
      if (orders.some(({ superseded }) => superseded !== true))
        save(orders.map((placed) => ({ ...placed, superseded: true })));
    },
    remove(orderId) {
      save(store.getState().filter(({ order }) => order.id !== orderId));
    },
  };
}

/** The order that the checkout shows: the first paid one, otherwise the last one that is not superseded. */
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
