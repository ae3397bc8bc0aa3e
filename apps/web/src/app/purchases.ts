import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useEffectEvent } from "react";
import { onBasketChange, removeBoughtFromBasket } from "../features/basket/basket-store.ts";
import { completePurchase, useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { lastPopup, usePayments } from "../features/payment-widget/payments.ts";
import { orderLinkIn } from "../lib/order-link.ts";
import { useOwnOrders } from "../lib/own-orders.ts";
import { useLocation } from "../lib/router.tsx";

/**
 * After an order is placed, a basket with other content starts a new purchase: the placed order is
 * superseded.
 */
export function useSupersedePlacedOrders(): void {
  const { orders } = useCheckoutSession();
  useEffect(() => onBasketChange((basket) => orders.compareWith(basket)), [orders]);
}

/**
 * Stores each reported contract with its order, on every screen. It shows a toast, unless the
 * screen is the checkout or the order's own page, which show it themselves.
 */
export function useRecordPayments(): void {
  const payments = usePayments();
  const ownOrders = useOwnOrders();
  const { orders } = useCheckoutSession();
  const toasts = useToasts();
  const location = useLocation();
  const onPaid = useEffectEvent((orderId: string, contractId: string) => {
    ownOrders.pay(orderId, contractId);
    if (location.pathname === "/checkout" || orderLinkIn(location)?.orderId === orderId) return;
    const isAtCheckout = orders.store.getState().some(({ order }) => order.id === orderId);
    const description = isAtCheckout
      ? "Complete the purchase in your cart."
      : "You find the order under Your orders.";
    toasts.show({ kind: "success", title: "The payment window reported success", description });
  });
  useEffect(
    () => payments.onPaid((orderId, contractId) => onPaid(orderId, contractId)),
    [payments],
  );
}

/**
 * @returns a function that completes the purchase of an order, if it is not complete: what was
 *   bought leaves the basket
 */
export function useCompletePurchase(): (orderId: string) => void {
  const session = useCheckoutSession();
  return (orderId) => {
    const bought = completePurchase(session, orderId);
    if (bought === undefined) return;
    removeBoughtFromBasket(bought);
    lastPopup.clear();
  };
}
