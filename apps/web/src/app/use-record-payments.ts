import { useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { usePayments } from "../features/payment-widget/payments.ts";
import { useToasts } from "../ui/toasts.ts";

/** Stores each reported contract with its order, on every screen; outside of the checkout it also shows a toast. */
export function useRecordPayments(): void {
  const payments = usePayments();
  const { orders } = useCheckoutSession();
  const toasts = useToasts();
  const { pathname } = useLocation();
  const onPaid = useEffectEvent((orderId: string, contractId: string) => {
    if (!orders.pay(orderId, contractId) || pathname === "/checkout") return;
    const description = "Complete the purchase in your cart.";
    toasts.show({ kind: "success", title: "The payment window reported success", description });
  });
  useEffect(() => payments.onPaid((orderId, contractId) => onPaid(orderId, contractId)), [payments]);
}
