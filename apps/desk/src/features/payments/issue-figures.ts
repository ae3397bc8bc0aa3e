import type { PaymentIssue } from "@keepsats/protocol";
import type { Figure } from "../../ui/figures.tsx";

/** The money of a payment issue, and of its order as far as that is more. */
export function issueFigures({
  order_status,
  open_amount,
  refunded_amount,
  balance,
}: Pick<
  PaymentIssue,
  "order_status" | "open_amount" | "refunded_amount" | "balance"
>): readonly Figure[] {
  const { currency, refund_due, missing } = balance;
  const isMore = order_status !== null && refund_due > (open_amount ?? 0);
  const figures: readonly Figure[] = [
    { label: "To decide", cents: open_amount, currency },
    { label: "Refunded", cents: refunded_amount, currency },
    { label: "Refund due for the order", cents: isMore ? refund_due : 0, currency },
    { label: "Missing", cents: missing, currency },
  ];
  return figures.filter(({ cents }) => cents !== 0);
}
