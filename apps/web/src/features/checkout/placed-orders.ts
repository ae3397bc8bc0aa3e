import type { BasketLine } from "@keepsats/domain";
import { type OrderLine, orderLineSchema, type PlacedOrder } from "@keepsats/protocol";
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { OwnOrder, OwnOrders } from "../../lib/own-orders.ts";
import { savedText, saveText } from "../../lib/session-storage.ts";

/** The item and the quantity of a line. */
export type ItemQuantity = Pick<BasketLine, "id" | "quantity">;

/** What this tab keeps of a purchase beside its order, until the purchase is complete. */
interface TabPurchase {
  readonly id: string;
  readonly items: OrderLine[];
  /**
   * A contract for which the widget reported success, and which does not pay the order after all.
   */
  readonly failedContract?: string | undefined;
  /**
   * The basket differs from `ownBasket`. The order's pop-up may still be open, so the order may
   * still be paid.
   */
  readonly superseded?: boolean | undefined;
  /**
   * The content of the basket while this order is the current purchase: the order's items, or
   * nothing after a reload. Not stored, because a reload empties the basket. `undefined`: the order
   * stays superseded, because it was superseded before a reload or before another purchase was
   * completed.
   */
  readonly ownBasket?: readonly ItemQuantity[] | undefined;
  /**
   * The form was edited while the order was superseded, so it no longer holds the order's details.
   */
  readonly formReused?: boolean;
}

/** An order of this tab whose purchase is not complete. */
export interface PlacedOrderState extends Omit<TabPurchase, "id"> {
  readonly order: OwnOrder;
}

/** The orders of this tab whose purchases are not complete, oldest first. They survive a reload. */
export interface PlacedOrders {
  readonly store: StoreApi<readonly PlacedOrderState[]>;
  /** Adds a placed order, which is one of the browser's own orders. */
  add(order: PlacedOrder): void;
  /**
   * Stores which contract does not pay an order, if any. The order then no longer stands in the way
   * of a new purchase.
   */
  noteFailure(orderId: string, contractId: string | undefined): void;
  /** Updates which orders are superseded. Call it when the basket is changed. */
  compareWith(basket: readonly ItemQuantity[]): void;
  /** Marks all superseded orders. Call it when the form is edited. */
  noteFormEdited(): void;
  /** Removes an order, because its purchase is complete. */
  complete(orderId: string): void;
}

const storageKey = "keepsats-placed-orders";
const MAX_ORDERS = 10;
const storedSchema = z.array(
  z.object({
    id: z.string(),
    items: z.array(orderLineSchema),
    failedContract: z.optional(z.string()),
    superseded: z.optional(z.boolean()),
  }),
);

/** Reads the purchases of this tab. An order that is forgotten is left out. */
export function createPlacedOrders(ownOrders: OwnOrders): PlacedOrders {
  let purchases = read();
  const store = createStore<readonly PlacedOrderState[]>(join);
  ownOrders.store.subscribe(() => store.setState(join(), true));

  function join(): readonly PlacedOrderState[] {
    return purchases.flatMap(({ id, ...purchase }) => {
      const order = ownOrders.find(id);
      return order === undefined ? [] : [{ ...purchase, order }];
    });
  }

  function save(changed: readonly TabPurchase[]): void {
    purchases = changed;
    store.setState(join(), true);
    const encoded = purchases.length === 0 ? undefined : z.encode(storedSchema, [...purchases]);
    saveText(storageKey, encoded && JSON.stringify(encoded));
  }

  return {
    store,
    add: ({ id, items }) =>
      save([...purchases, { id, items, ownBasket: items }].slice(-MAX_ORDERS)),
    noteFailure(orderId, contractId) {
      const failed = purchases.find(({ id }) => id === orderId);
      if (failed === undefined || failed.failedContract === contractId) return;
      save(purchases.map((one) => (one === failed ? { ...one, failedContract: contractId } : one)));
    },
    compareWith: (basket) => save(purchases.map((purchase) => comparedWith(basket, purchase))),
    noteFormEdited() {
      if (
        purchases.some(({ superseded, formReused }) => superseded === true && formReused !== true)
      )
        save(
          purchases.map((purchase) =>
            purchase.superseded === true ? { ...purchase, formReused: true } : purchase,
          ),
        );
    },
    complete(orderId) {
      const others = purchases.filter(({ id }) => id !== orderId);
      save(
        others.map((purchase) =>
          purchase.superseded === true ? { ...purchase, ownBasket: undefined } : purchase,
        ),
      );
    },
  };
}

/** Whether the widget has reported success, and the contract has not failed since. */
export function isReportedPaid({ order, failedContract }: PlacedOrderState): boolean {
  return order.contractId !== undefined && order.contractId !== failedContract;
}

/** Whether the order is cancelled, as far as this browser knows, so that it cannot be paid. */
export function isCancelled({ order }: PlacedOrderState): boolean {
  return order.status === "Cancelled";
}

/**
 * The order that the checkout shows: the first one that is reported as paid, otherwise the last one
 * that is not superseded. Not a cancelled one: what the checkout says of that is in
 * `cancelled-order.tsx`.
 */
export function shownOrder(all: readonly PlacedOrderState[]): PlacedOrderState | undefined {
  const orders = all.filter((order) => !isCancelled(order));
  return orders.find(isReportedPaid) ?? orders.findLast(({ superseded }) => superseded !== true);
}

/**
 * Whether the form was filled in for this order. False after a reload, and when it is used for the
 * next order.
 */
export function isDraftOf({ ownBasket = [], superseded, formReused }: PlacedOrderState): boolean {
  return ownBasket.length > 0 && superseded !== true && formReused !== true;
}

function comparedWith(basket: readonly ItemQuantity[], purchase: TabPurchase): TabPurchase {
  const { ownBasket, superseded, ...rest } = purchase;
  if (ownBasket === undefined) return { ...rest, superseded: true };
  return { ...rest, ownBasket, superseded: !haveSameItems(basket, ownBasket) };
}

/**
 * The order of the lines does not matter, because a line that is removed and added again becomes
 * the last one.
 */
function haveSameItems(one: readonly ItemQuantity[], other: readonly ItemQuantity[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, quantity }) =>
      other.some((line) => line.id === id && line.quantity === quantity),
    )
  );
}

function read(): readonly TabPurchase[] {
  try {
    const stored = storedSchema.safeParse(JSON.parse(savedText(storageKey) ?? "[]")).data ?? [];
    return stored.map((purchase) =>
      purchase.superseded === true ? purchase : { ...purchase, ownBasket: [] },
    );
  } catch {
    return [];
  }
}
