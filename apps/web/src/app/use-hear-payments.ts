import { useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { usePayments } from "../features/payment-widget/payments.ts";
import { useToasts } from "../ui/toasts.ts";

/** Notes each loan with its order, whichever screen is shown, and says so where the checkout does not show it. */
export function useHearPayments(): void {
  const payments = usePayments();
  const { orders } = useCheckoutSession();
  const toasts = useToasts();
  const { pathname } = useLocation();
  const onPaid = useEffectEvent((orderId: string, contractId: string) => {
    if (!orders.pay(orderId, contractId) || pathname === "/checkout") return;
    const description = "Complete the purchase in your cart.";
    toasts.show({ kind: "success", title: "Your loan is under way", description });
  });
  useEffect(() => payments.onPaid((orderId, contractId) => onPaid(orderId, contractId)), [payments]);
}
