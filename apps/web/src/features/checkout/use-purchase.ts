import type { Basket } from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useState } from "react";
import type { OwnOrder } from "../../lib/own-orders.ts";
import { useCheckoutSession, usePlacedOrder } from "./checkout-session.ts";
import type { PlacedOrderState } from "./placed-orders.ts";
import { type Purchase, purchaseOf } from "./purchase.ts";

interface PurchaseState {
  readonly purchase: Purchase;
  readonly placed: OwnOrder | undefined;
  /** Stores the order that was placed and shows the toast. */
  onPlaced(order: PlacedOrder): void;
  /** Keeps showing the order after its purchase is complete, until the order page has loaded. */
  keepShowing(): void;
}

/**
 * The purchase that the checkout shows: that of the placed order or, without one, of the basket.
 */
export function usePurchase(basket: Basket): PurchaseState {
  const session = useCheckoutSession();
  const toasts = useToasts();
  const current = usePlacedOrder();
  const [completed, setCompleted] = useState<PlacedOrderState>();
  const placed = completed ?? current;

  return {
    purchase: purchaseOf(basket, placed),
    placed: placed?.order,
    onPlaced(order) {
      session.orders.add(order);
      const description = "Your order has been successfully placed.";
      toasts.show({ kind: "success", title: "Order Placed!", description });
    },
    keepShowing: () => setCompleted(placed),
  };
}

/**
 * Stores whether the last payment of an order has failed. @param hasFailed `undefined` while
 * nothing is known
 */
export function useNoteFailure(order: OwnOrder | undefined, hasFailed: boolean | undefined): void {
  const { orders } = useCheckoutSession();
  const { id, contractId } = order ?? {};
  useEffect(() => {
    if (id !== undefined && hasFailed !== undefined)
      orders.noteFailure(id, hasFailed ? contractId : undefined);
  }, [orders, id, contractId, hasFailed]);
}
