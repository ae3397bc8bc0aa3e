import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect } from "react";
import { completePurchase, useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { lastPopup, usePaymentReports } from "../features/payment-widget/payments.ts";
import { onCartChange, removeBoughtFromCart } from "../lib/cart-store.ts";
import { orderLinkIn } from "../lib/order-link.ts";
import { useLocation } from "../lib/router.tsx";
import { useSavedOrders } from "../lib/saved-orders.ts";

/**
 * A change of the cart after an order was placed starts a new purchase: it supersedes the order.
 */
export function useSupersedePlacedOrders(): void {
  const { orders } = useCheckoutSession();
  useEffect(() => onCartChange((cart) => orders.compareWith(cart)), [orders]);
}

/**
 * Stores each reported loan with its order, on every screen. Shows a toast, except at the
 * checkout and on the page of the order, which show it themselves.
 */
export function useRecordPayments(): void {
  const savedOrders = useSavedOrders();
  const { orders } = useCheckoutSession();
  const toasts = useToasts();
  const location = useLocation();
  usePaymentReports((orderId, loanId) => {
    savedOrders.recordLoan(orderId, loanId);
    if (location.pathname === "/checkout" || orderLinkIn(location)?.orderId === orderId) return;
    const isAtCheckout = orders.store.getState().some(({ order }) => order.id === orderId);
    const description = isAtCheckout
      ? "Complete the purchase in your cart."
      : "The order is listed under Your orders.";
    toasts.success("The payment window reported success", description);
  });
}

/** @returns a function that completes the purchase of an order: its items leave the cart */
export function useCompletePurchase(): (orderId: string) => void {
  const session = useCheckoutSession();
  return (orderId) => {
    const bought = completePurchase(session, orderId);
    if (bought === undefined) return;
    removeBoughtFromCart(bought);
    lastPopup.clear();
  };
}
