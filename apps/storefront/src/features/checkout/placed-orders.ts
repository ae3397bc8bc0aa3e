import type { ItemQuantity } from "@keepsats/domain";
import { type OrderLine, orderLineSchema, type PlacedOrder } from "@keepsats/protocol";
import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import type { SavedOrder, SavedOrders } from "../../lib/saved-orders.ts";
import { savedJson, saveText } from "../../lib/session-storage.ts";

/** The part of a purchase that this tab stores beside the saved order, until it is complete. */
interface TabPurchase {
  readonly id: string;
  readonly items: OrderLine[];
  /** A loan that the widget has reported, but that does not pay the order. */
  readonly failedLoanId?: string | undefined;
  /**
   * The cart differs from `orderedCart`. The pop-up may still be open, so the order may still be
   * paid.
   */
  readonly superseded?: boolean | undefined;
  /**
   * The cart that matches this order. Not stored: a reload empties the cart. `undefined`: the
   * order stays superseded, because it was superseded before a reload or before another purchase
   * was completed.
   */
  readonly orderedCart?: readonly ItemQuantity[] | undefined;
  /**
   * The form was edited while the order was superseded, so it no longer has the order's details.
   */
  readonly formReused?: boolean;
}

/** An order of this tab whose purchase is not complete. */
export interface OpenPurchase extends Omit<TabPurchase, "id"> {
  readonly order: SavedOrder;
}

const storageKey = "keepsats-placed-orders";
const MAX_ORDERS = 10;
const storedSchema = z.array(
  z.object({
    id: z.string(),
    items: z.array(orderLineSchema),
    /** The stored name of `failedLoanId`. */
    failedContract: z.optional(z.string()),
    superseded: z.optional(z.boolean()),
  }),
);

export type PlacedOrders = ReturnType<typeof createPlacedOrders>;

/**
 * The orders of this tab whose purchases are not complete, oldest first. They survive a reload.
 * Forgotten orders are omitted.
 */
export function createPlacedOrders(savedOrders: SavedOrders) {
  let purchases = read();
  const store = createStore<readonly OpenPurchase[]>(join);
  savedOrders.store.subscribe(() => store.setState(join(), true));

  function join(): readonly OpenPurchase[] {
    return purchases.flatMap(({ id, ...purchase }) => {
      const order = savedOrders.find(id);
      return order === undefined ? [] : [{ ...purchase, order }];
    });
  }

  function save(changed: readonly TabPurchase[]): void {
    purchases = changed;
    store.setState(join(), true);
    saveText(storageKey, purchases.length === 0 ? undefined : encode(purchases));
  }

  /** Saves nothing if no purchase changes. */
  function changeAll(change: (purchase: TabPurchase) => TabPurchase): void {
    const changed = purchases.map(change);
    if (changed.some((purchase, index) => purchase !== purchases[index])) save(changed);
  }

  return {
    store,
    /** The order must be a saved order. */
    add({ id, items }: PlacedOrder): void {
      save([...purchases, { id, items, orderedCart: items }].slice(-MAX_ORDERS));
    },
    /**
     * Stores the loan that does not pay an order, if any. The order then no longer blocks a new
     * purchase.
     */
    recordFailure(orderId: string, failedLoanId: string | undefined): void {
      changeAll((purchase) =>
        purchase.id === orderId && purchase.failedLoanId !== failedLoanId
          ? { ...purchase, failedLoanId }
          : purchase,
      );
    },
    /** Updates which orders are superseded. Call it when the cart changes. */
    compareWith(cart: readonly ItemQuantity[]): void {
      changeAll((purchase) => comparedWith(cart, purchase));
    },
    /** Sets `formReused` of all superseded orders. Call it when the form is edited. */
    recordFormEdit(): void {
      changeAll((purchase) =>
        purchase.superseded === true && purchase.formReused !== true
          ? { ...purchase, formReused: true }
          : purchase,
      );
    },
    /** Forgets the purchase: it is complete, replaced, or not wanted any more. */
    endPurchase(orderId: string): void {
      const others = purchases.filter(({ id }) => id !== orderId);
      save(
        others.map((purchase) =>
          purchase.superseded === true ? { ...purchase, orderedCart: undefined } : purchase,
        ),
      );
    },
  };
}

/** Whether the widget has reported success, and the loan has not failed since. */
export function isReportedPaid({ order, failedLoanId }: OpenPurchase): boolean {
  return order.loanId !== undefined && order.loanId !== failedLoanId;
}

/** According to the last known status. */
export function isCancelled({ order }: OpenPurchase): boolean {
  return order.status === "Cancelled";
}

/**
 * The order that the checkout shows: the first one that is reported as paid, otherwise the last one
 * that is not superseded. For a cancelled one it shows a notice instead.
 */
export function shownOrder(all: readonly OpenPurchase[]): OpenPurchase | undefined {
  const orders = all.filter((order) => !isCancelled(order));
  return orders.find(isReportedPaid) ?? orders.findLast(({ superseded }) => superseded !== true);
}

/** Whether the form has the details of this order. False after a reload, and once it is edited. */
export function isDraftOf({ orderedCart = [], superseded, formReused }: OpenPurchase): boolean {
  return orderedCart.length > 0 && superseded !== true && formReused !== true;
}

function comparedWith(cart: readonly ItemQuantity[], purchase: TabPurchase): TabPurchase {
  const { orderedCart, superseded, ...rest } = purchase;
  if (orderedCart === undefined) return { ...rest, superseded: true };
  return { ...rest, orderedCart, superseded: !haveSameItems(cart, orderedCart) };
}

/** Ignores the order of the lines: a line that is removed and added again becomes the last one. */
function haveSameItems(cart: readonly ItemQuantity[], ordered: readonly ItemQuantity[]): boolean {
  return (
    cart.length === ordered.length &&
    cart.every(({ id, quantity }) =>
      ordered.some((line) => line.id === id && line.quantity === quantity),
    )
  );
}

function encode(purchases: readonly TabPurchase[]): string {
  const stored = purchases.map(({ failedLoanId, ...purchase }) => ({
    ...purchase,
    failedContract: failedLoanId,
  }));
  return JSON.stringify(z.encode(storedSchema, stored));
}

function read(): readonly TabPurchase[] {
  const stored = savedJson(storageKey, storedSchema) ?? [];
  return stored.map(({ failedContract: failedLoanId, ...purchase }) =>
    purchase.superseded === true
      ? { ...purchase, failedLoanId }
      : { ...purchase, failedLoanId, orderedCart: [] },
  );
}
