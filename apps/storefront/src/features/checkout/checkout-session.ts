import { awaitsPayment, type ItemQuantity } from "@keepsats/domain";
import type { StockByItem } from "@keepsats/protocol";
import { requiredContext } from "@keepsats/ui/required-context.ts";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { useStock } from "../../lib/items.ts";
import type { SavedOrders } from "../../lib/saved-orders.ts";
import { blankDraft, type Draft, type OrderRequest } from "./order-request.ts";
import {
  createPlacedOrders,
  isDraftOf,
  isReportedPaid,
  type OpenPurchase,
  type PlacedOrders,
  shownOrder,
} from "./placed-orders.ts";
import { saveDraft, savedDraft } from "./saved-draft.ts";

/** The state of the checkout that is kept across screens while the page is open. */
export interface CheckoutSession {
  /**
   * The content of the form; `undefined` before the first input. `saved-draft.ts` also stores it for
   * a reload, until the order is placed.
   */
  draft: Draft | undefined;
  /**
   * The last request to place an order, until an order is placed. A retry with the same body uses
   * its idempotency key.
   */
  lastRequest: OrderRequest | undefined;
  readonly orders: PlacedOrders;
}

export function createCheckoutSession(savedOrders: SavedOrders): CheckoutSession {
  return { draft: savedDraft(), lastRequest: undefined, orders: createPlacedOrders(savedOrders) };
}

/**
 * Completes the purchase of an order. The form is cleared if it was filled in for this order.
 *
 * @returns the lines to subtract from the cart; `undefined` if the purchase was complete or of
 *   another tab
 */
export function completePurchase(
  session: CheckoutSession,
  orderId: string,
): readonly ItemQuantity[] | undefined {
  const placed = session.orders.store.getState().find(({ order }) => order.id === orderId);
  if (placed === undefined) return undefined;
  if (isDraftOf(placed)) session.draft = undefined;
  session.orders.endPurchase(orderId);
  return placed.orderedCart ?? [];
}

export const [CheckoutSessionContext, useCheckoutSession] =
  requiredContext<CheckoutSession>("checkout session");

/** The content of the form. Each change is stored in the session and for a reload. */
export function useDraft(): [draft: Draft, change: (changes: Partial<Draft>) => void] {
  const session = useCheckoutSession();
  const [draft, setDraft] = useState(() => session.draft ?? blankDraft());
  function change(changes: Partial<Draft>): void {
    session.draft = { ...draft, ...changes };
    setDraft(session.draft);
    saveDraft(session.draft);
    session.orders.recordFormEdit();
  }
  return [draft, change];
}

/** See {@link shownOrder}. */
export function usePlacedOrder(): OpenPurchase | undefined {
  return useStore(useCheckoutSession().orders.store, shownOrder);
}

/**
 * Adds the pieces of unpaid orders of this tab, because the checkout offers to replace these
 * orders.
 */
export function stockWithHeld(stock: StockByItem, orders: readonly OpenPurchase[]): StockByItem {
  const all = new Map(stock);
  for (const placed of orders) {
    const { key, status } = placed.order;
    if (isReportedPaid(placed) || key === undefined || !awaitsPayment(status)) continue;
    for (const { id, quantity } of placed.items) {
      const left = all.get(id);
      if (typeof left === "number" || left === false) all.set(id, Number(left) + quantity);
    }
  }
  return all;
}

/** `undefined` until the items are loaded. */
export function useStockWithHeld(): StockByItem | undefined {
  const stock = useStock();
  const orders = useStore(useCheckoutSession().orders.store);
  return useMemo(() => stock && stockWithHeld(stock, orders), [stock, orders]);
}
