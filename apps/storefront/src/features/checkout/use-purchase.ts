import type { PlacedOrder } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useState } from "react";
import { useCart } from "../../lib/cart-store.ts";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import { useCheckoutSession, usePlacedOrder } from "./checkout-session.ts";
import type { OpenPurchase } from "./placed-orders.ts";
import { purchaseOf } from "./purchase.ts";
import { saveDraft } from "./saved-draft.ts";

/** The purchase of the placed order or, without one, of the cart. */
export function usePurchase() {
  const cart = useCart().lines;
  const session = useCheckoutSession();
  const toasts = useToasts();
  const current = usePlacedOrder();
  const [completed, setCompleted] = useState<OpenPurchase>();
  const placed = completed ?? current;

  return {
    purchase: purchaseOf(cart, placed),
    placed: placed?.order,
    /** Stores the placed order, removes the saved details of the form, and shows a toast. */
    onPlaced(order: PlacedOrder): void {
      session.orders.add(order);
      saveDraft(undefined);
      toasts.success("Order Placed!", "Your order has been successfully placed.");
    },
    /** Keeps showing the order after its purchase is complete, until the order page has loaded. */
    keepShowing: () => setCompleted(placed),
  };
}

/** Stores whether the last payment attempt has failed. `hasFailed`: `undefined` if unknown. */
export function useRecordFailure(
  order: SavedOrder | undefined,
  hasFailed: boolean | undefined,
): void {
  const { orders } = useCheckoutSession();
  const { id, loanId } = order ?? {};
  useEffect(() => {
    if (id !== undefined && hasFailed !== undefined)
      orders.recordFailure(id, hasFailed ? loanId : undefined);
  }, [orders, id, loanId, hasFailed]);
}
