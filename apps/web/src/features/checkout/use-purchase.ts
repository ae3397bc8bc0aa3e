import { type Basket, priceOf } from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import { useState } from "react";
import { useToasts } from "../../ui/toasts.ts";
import { useCheckoutSession, usePlacedOrder } from "./checkout-session.ts";
import type { PlacedOrderState } from "./placed-orders.ts";
import { type Completion, completionOf, type Purchase, purchaseOf } from "./purchase.ts";

interface PurchaseState {
  readonly purchase: Purchase;
  readonly placed: PlacedOrder | undefined;
  /** Call it when the order is placed. Stores the order and shows the toast. */
  onPlaced(order: PlacedOrder): void;
  /** Completes a paid purchase; the order is kept until the order page has shown it. @returns what the caller has to do, or `undefined` when the order is not paid */
  complete(): Completion | undefined;
}

/** The purchase that the checkout shows: that of the placed order or, without one, of the basket. */
export function usePurchase(basket: Basket): PurchaseState {
  const session = useCheckoutSession();
  const toasts = useToasts();
  const current = usePlacedOrder();
  // The checkout keeps showing a completed order until the order page has loaded.
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
      session.orders.complete(completion.orderId);
      return completion;
    },
  };
}
