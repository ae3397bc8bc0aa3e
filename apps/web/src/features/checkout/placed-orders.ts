import type { BasketLine, Cents } from "@keepsats/domain";
import { type PlacedOrder, placedOrderSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";
import { savedText, saveText } from "../../lib/session-storage.ts";

/** The item and the quantity of a line. */
export type ItemQuantity = Pick<BasketLine, "id" | "quantity">;

/** A placed order that the order page has not shown yet; amounts in cents. */
export interface PlacedOrderState {
  readonly order: PlacedOrder;
  /** The total that the shopper saw before placing the order, if it differs because prices have changed. */
  readonly totalBefore?: Cents | undefined;
  /** The contract of the last payment, once the widget has reported success. */
  readonly contractId?: string | undefined;
  /** The purchase is complete, but the order page has not shown the order yet. */
  readonly completed?: boolean | undefined;
  /** The basket differs from `ownBasket`. The order's pop-up may still be open, so the order may still be paid. */
  readonly superseded?: boolean | undefined;
  /**
   * The content of the basket while this order is the current purchase: the order's items, or nothing after a reload or after
   * the purchase is complete. Not stored, because a reload empties the basket. `undefined`: the order stays superseded, because
   * it was superseded before a reload or before another purchase was completed.
   */
  readonly ownBasket?: readonly ItemQuantity[] | undefined;
  /** The form was edited while the order was superseded, so it no longer holds the order's details. */
  readonly formReused?: boolean;
}

/** The placed orders of this tab, oldest first. They survive a reload. */
export interface PlacedOrders {
  readonly store: StoreApi<readonly PlacedOrderState[]>;
  /** Adds a placed order. @param expected the total that the shopper saw, in cents */
  add(order: PlacedOrder, expected: Cents): void;
  /** Stores the contract that pays an order. @returns false when the order is not one of these */
  pay(orderId: string, contractId: string): boolean;
  /** Updates which orders are superseded. Call it when the basket is changed. */
  compareWith(basket: readonly ItemQuantity[]): void;
  /** Marks all superseded orders. Call it when the form is edited. */
  noteFormEdited(): void;
  /** Marks an order whose purchase is complete. It is kept until {@link remove}, because its payment may turn out to be void. */
  complete(orderId: string): void;
  /**
   * Makes an order the current purchase again. It can be paid again, unless another payment than the given one has succeeded.
   *
   * @param voidContract the contract that does not pay the order
   */
  reopen(orderId: string, voidContract: string): void;
  /** Removes an order that the order page has shown. */
  remove(orderId: string): void;
}

const storageKey = "keepsats-placed-orders";
const MAX_ORDERS = 10;
const storedSchema = z.array(
  z.object({
    order: placedOrderSchema,
    totalBefore: z.optional(z.number()),
    contractId: z.optional(z.string()),
    completed: z.optional(z.boolean()),
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
      save([...store.getState(), { order, totalBefore, ownBasket: order.items }].slice(-MAX_ORDERS));
    },
    pay(orderId, contractId) {
      const orders = store.getState();
      if (!orders.some(({ order }) => order.id === orderId)) return false;
      save(orders.map((placed) => (placed.order.id === orderId ? { ...placed, contractId } : placed)));
      return true;
    },
    compareWith: (basket) => save(store.getState().map((placed) => comparedWith(basket, placed))),
    noteFormEdited() {
      const orders = store.getState();
      if (orders.some(({ superseded, formReused }) => superseded === true && formReused !== true))
        save(orders.map((placed) => (placed.superseded === true ? { ...placed, formReused: true } : placed)));
    },
    complete: (orderId) => save(store.getState().map((placed) => afterCompletion(placed, orderId))),
    reopen(orderId, voidContract) {
      const orders = store.getState();
      const reopened = orders.find(({ order }) => order.id === orderId);
      if (reopened === undefined) return;
      const { order, totalBefore, contractId } = reopened;
      const payable = { order, totalBefore, ownBasket: [] };
      const current = contractId === voidContract ? payable : { ...reopened, superseded: false };
      save([...orders.filter((placed) => placed !== reopened), current]);
    },
    remove(orderId) {
      const orders = store.getState();
      if (orders.some(({ order }) => order.id === orderId))
        save(orders.filter(({ order }) => order.id !== orderId));
    },
  };
}

/**
 * The order that the checkout shows: the first paid one whose purchase is not complete, otherwise the last one that is not
 * superseded.
 */
export function shownOrder(orders: readonly PlacedOrderState[]): PlacedOrderState | undefined {
  return (
    orders.find(({ contractId, completed }) => contractId !== undefined && completed !== true) ??
    orders.findLast(({ superseded }) => superseded !== true)
  );
}

/** The order that the shop page reminds of: the one that the checkout shows, otherwise the last completed one. */
export function unfinishedOrder(orders: readonly PlacedOrderState[]): PlacedOrderState | undefined {
  return shownOrder(orders) ?? orders.findLast(({ completed }) => completed);
}

function comparedWith(basket: readonly ItemQuantity[], placed: PlacedOrderState): PlacedOrderState {
  const { ownBasket, superseded, ...rest } = placed;
  if (ownBasket === undefined) return { ...rest, superseded: true };
  return { ...rest, ownBasket, superseded: !haveSameItems(basket, ownBasket) };
}

function afterCompletion(placed: PlacedOrderState, completedId: string): PlacedOrderState {
  if (placed.order.id === completedId) return { ...placed, completed: true, ownBasket: [] };
  return placed.superseded === true ? { ...placed, ownBasket: undefined } : placed;
}

/** The order of the lines does not matter, because a line that is removed and added again becomes the last one. */
function haveSameItems(one: readonly ItemQuantity[], other: readonly ItemQuantity[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, quantity }) => other.some((line) => line.id === id && line.quantity === quantity))
  );
}

function read(): readonly PlacedOrderState[] {
  try {
    const stored = storedSchema.safeParse(JSON.parse(savedText(storageKey) ?? "[]")).data ?? [];
    return stored.map((placed) => (placed.superseded === true ? placed : { ...placed, ownBasket: [] }));
  } catch {
    return [];
  }
}
