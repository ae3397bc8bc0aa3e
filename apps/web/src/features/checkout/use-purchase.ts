import { type Basket, priceOf } from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import { useState } from "react";
import { useToasts } from "../../ui/toasts.ts";
import { useCheckoutSession, usePlacedOrder } from "./checkout-session.ts";
import type { PlacedOrderState } from "./placed-orders.ts";
import { type Completion, completionOf, type Purchase, purchaseOf } from "./purchase.ts";

interface UsedPurchase {
  readonly purchase: Purchase;
  readonly placed: PlacedOrder | undefined;
  /** The order was placed. */
  onPlaced(order: PlacedOrder): void;
  /** Ends a purchase that is paid. @returns what is left to do outside of the checkout, or `undefined` where nothing is paid */
  complete(): Completion | undefined;
}

/** The purchase that the checkout shows: of the basket, or of the order that was placed. */
export function usePurchase(basket: Basket): UsedPurchase {
  const session = useCheckoutSession();
  const toasts = useToasts();
  const current = usePlacedOrder();
  // A completed order is shown until the order page has been loaded.
  const [completed, setCompleted] = useState<PlacedOrderState>();
  const placed = completed ?? current;

  return {
    purchase: purchaseOf(basket, placed),
    placed: placed?.order,
    onPlaced(order) {
      session.orders.add(order, priceOf(basket).total);
      const description = "Your order has been successfully placed.";
      toasts.show({ kind: "success", title: "Order Placed!", description });
    },
    complete() {
      const completion = completionOf(placed);
      if (completion === undefined) return undefined;
      setCompleted(placed);
      if (completion.clearsDraft) session.draft = undefined;
      session.orders.remove(completion.orderId);
      return completion;
    },
  };
}
