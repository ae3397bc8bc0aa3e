import type { StockByItem } from "@keepsats/protocol";
import { requiredContext } from "@keepsats/ui/required-context.ts";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { removeBoughtFromCart, useCart } from "../../lib/cart-store.ts";
import { useStock } from "../../lib/items.ts";
import { useSavedOrders } from "../../lib/saved-orders.ts";
import { createOpenPurchase, heldItems, isShown, type PlacedPurchase } from "./open-purchase.ts";
import { blankDraft, type Draft, type OrderRequest } from "./order-request.ts";
import { saveDraft, savedDraft } from "./saved-draft.ts";

/** The state of the checkout that is kept across screens while the page is open. */
export interface CheckoutSession {
  /**
   * The content of the form; `undefined` before the first input. `saved-draft.ts` also stores it for
   * a reload, until the order is placed.
   */
  draft: Draft | undefined;
  /** The placed order whose details the form has, until it is edited for the next order. */
  formOrderId: string | undefined;
  /**
   * The last request to place an order, until an order is placed. A retry with the same body uses
   * its idempotency key.
   */
  lastRequest: OrderRequest | undefined;
  readonly purchase: ReturnType<typeof createOpenPurchase>;
}

export function createCheckoutSession(): CheckoutSession {
  return {
    draft: savedDraft(),
    formOrderId: undefined,
    lastRequest: undefined,
    purchase: createOpenPurchase(),
  };
}

/** Forgets the purchase of an order: it is complete, cancelled or replaced. */
export function endPurchase({ purchase }: CheckoutSession, orderId: string): void {
  if (purchase.getState()?.id === orderId) purchase.setState(undefined, true);
}

/**
 * Completes the purchase of an order: its items leave the cart, and the form is cleared if it was
 * filled in for this order. Does nothing if the purchase was complete or is of another tab.
 */
export function completePurchase(session: CheckoutSession, orderId: string): void {
  const purchase = session.purchase.getState();
  if (purchase?.id !== orderId) return;
  if (session.formOrderId === orderId) session.draft = undefined;
  endPurchase(session, orderId);
  removeBoughtFromCart(purchase.orderedCart);
}

export const [CheckoutSessionContext, useCheckoutSession] =
  requiredContext<CheckoutSession>("checkout session");

/** The content of the form. Each change is stored in the session and for a reload. */
export function useDraft(): [draft: Draft, change: (changes: Partial<Draft>) => void] {
  const session = useCheckoutSession();
  const [draft, setDraft] = useState(() => session.draft ?? blankDraft());
  function change(changes: Partial<Draft>): void {
    session.draft = { ...draft, ...changes };
    session.formOrderId = undefined;
    setDraft(session.draft);
    saveDraft(session.draft);
  }
  return [draft, change];
}

/** The open purchase, unless its order was forgotten. */
export function usePlacedPurchase(): PlacedPurchase | undefined {
  const purchase = useStore(useCheckoutSession().purchase);
  const order = useStore(useSavedOrders().store, ({ orders }) =>
    orders.find(({ id }) => id === purchase?.id),
  );
  return useMemo(() => purchase && order && { ...purchase, order }, [purchase, order]);
}

/** The open purchase, if the checkout shows its order; see {@link isShown}. */
export function useShownPurchase(): PlacedPurchase | undefined {
  const placed = usePlacedPurchase();
  const { lines } = useCart();
  return placed && isShown(placed, lines) ? placed : undefined;
}

/**
 * Adds the pieces of the unpaid order of this tab, because the checkout offers to replace this
 * order.
 */
export function stockWithHeld(stock: StockByItem, placed: PlacedPurchase | undefined): StockByItem {
  const all = new Map(stock);
  for (const { id, quantity } of heldItems(placed)) {
    const left = all.get(id);
    if (typeof left === "number" || left === false) all.set(id, Number(left) + quantity);
  }
  return all;
}

/** `undefined` until the items are loaded. */
export function useStockWithHeld(): StockByItem | undefined {
  const stock = useStock();
  const placed = usePlacedPurchase();
  return useMemo(() => stock && stockWithHeld(stock, placed), [stock, placed]);
}
