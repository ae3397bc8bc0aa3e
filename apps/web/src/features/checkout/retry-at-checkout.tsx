import { Link } from "react-router";
import { useStore } from "zustand";
import { buttonClasses } from "../../ui/button.tsx";
import { useCheckoutSession } from "./checkout-session.ts";

interface RetryAtCheckoutProps {
  readonly orderId: string;
  /** The contract that does not pay the order. */
  readonly contractId: string;
}

/** A link to the checkout, where a kept order can be paid again. Nothing where the order is not kept. */
export function RetryAtCheckout({ orderId, contractId }: RetryAtCheckoutProps) {
  const { orders } = useCheckoutSession();
  const isKept = useStore(orders.store, (kept) => kept.some(({ order }) => order.id === orderId));
  if (!isKept) return null;
  return (
    <Link
      to="/checkout"
      onClick={() => orders.reopen(orderId, contractId)}
      className={buttonClasses("forward")}
    >
      Try payment again
    </Link>
  );
}
