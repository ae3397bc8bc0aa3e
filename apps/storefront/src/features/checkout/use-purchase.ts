import type { PlacedOrder } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useState } from "react";
import { useCart } from "../../lib/cart-store.ts";
import { useCheckoutSession, useShownPurchase } from "./checkout-session.ts";
import type { PlacedPurchase } from "./open-purchase.ts";
import { purchaseOf } from "./purchase.ts";
import { saveDraft } from "./saved-draft.ts";

/** The purchase of the placed order or, without one, of the cart. */
export function usePurchase() {
  const cart = useCart().lines;
  const session = useCheckoutSession();
  const toasts = useToasts();
  const current = useShownPurchase();
  const [completed, setCompleted] = useState<PlacedPurchase>();
  const placed = completed ?? current;

  return {
    purchase: purchaseOf(cart, placed),
    /**
     * Whether the form has the details of the placed order: not after a reload, nor once it was
     * edited for the next order.
     */
    isInForm: placed?.id === session.formOrderId,
    placed: placed?.order,
    /** Stores the placed order, removes the saved details of the form, and shows a toast. */
    onPlaced({ id, items }: PlacedOrder): void {
      session.formOrderId = id;
      session.purchase.setState({ id, items, orderedCart: items }, true);
      saveDraft(undefined);
      toasts.success("Order Placed!", "Your order has been successfully placed.");
    },
    /** Keeps showing the order after its purchase is complete, until the order page has loaded. */
    keepShowing: () => setCompleted(placed),
  };
}

/**
 * Stores the loan of the shown order if it does not pay the order, which then no longer blocks a new
 * purchase. `hasFailed`: `undefined` if unknown.
 */
export function useRecordFailure(hasFailed: boolean | undefined): void {
  const { purchase } = useCheckoutSession();
  const placed = useShownPurchase();
  const failedLoanId = hasFailed ? placed?.order.loanId : undefined;
  const isChanged = hasFailed !== undefined && placed?.failedLoanId !== failedLoanId;
  useEffect(() => {
    if (isChanged) purchase.setState({ failedLoanId });
  }, [purchase, failedLoanId, isChanged]);
}
