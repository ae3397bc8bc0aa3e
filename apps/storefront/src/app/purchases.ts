import { useToasts } from "@keepsats/ui/toasts.ts";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { usePaymentReports } from "../features/payment-widget/payments.ts";
import { orderLinkIn } from "../lib/order-link.ts";
import { useLocation } from "../lib/router.tsx";
import { useSavedOrders } from "../lib/saved-orders.ts";

/**
 * Stores each reported loan with its order, on every screen. Shows a toast, except at the
 * checkout and on the page of the order, which show it themselves.
 */
export function useRecordPayments(): void {
  const savedOrders = useSavedOrders();
  const { purchase } = useCheckoutSession();
  const toasts = useToasts();
  const location = useLocation();
  usePaymentReports((orderId, loanId) => {
    savedOrders.recordLoan(orderId, loanId);
    if (location.pathname === "/checkout" || orderLinkIn(location)?.orderId === orderId) return;
    const isAtCheckout = purchase.getState()?.id === orderId;
    const description = isAtCheckout
      ? "Complete the purchase in your cart."
      : "The order is listed under Your orders.";
    toasts.success("The payment window reported success", description);
  });
}
