import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { usePayments } from "../features/payment-widget/payments.ts";
import { orderLinkIn } from "../lib/order-link.ts";
import { useOwnOrders } from "../lib/own-orders.ts";

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
