import { useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { usePayments } from "../features/payment-widget/payments.ts";
import { showToast } from "../ui/toast.ts";

/** Notes each loan with its order, whichever screen is shown, and says so where the checkout does not show it. */
export function useHearPayments(): void {
  const payments = usePayments();
  const { orders } = useCheckoutSession();
  const { pathname } = useLocation();
  const onPaid = useEffectEvent((orderId: string, contractId: string) => {
    if (!orders.pay(orderId, contractId) || pathname === "/checkout") return;
    void showToast("success", "Your loan is under way", "Complete the purchase in your cart.");
  });
  useEffect(() => payments.onPaid((orderId, contractId) => onPaid(orderId, contractId)), [payments]);
}
