import type { ReactNode } from "react";
import { Link } from "react-router";
import { Time } from "./values.tsx";

interface OrderRowProps {
  readonly orderId: string;
  readonly orderNumber: string | undefined;
  readonly customerName: string;
  readonly amount: ReactNode;
  readonly status: ReactNode;
  readonly at: number;
}

/** A row of a short list, which links to its order. */
export function OrderRow({
  orderId,
  orderNumber,
  customerName,
  amount,
  status,
  at,
}: OrderRowProps) {
  return (
    <Link
      to={`/orders/${orderId}`}
      className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-2 py-1.5 hover:bg-sunken sm:grid-cols-(--order-row-columns)"
    >
      <span className="wrap-anywhere">
        <span className="font-medium">{customerName}</span>{" "}
        <span className="money text-sm text-ink-soft">{orderNumber}</span>
      </span>
      <span className="text-right sm:order-last">{amount}</span>
      {status}
      <Time at={at} className="text-sm whitespace-nowrap text-ink-soft max-sm:text-right" />
    </Link>
  );
}
