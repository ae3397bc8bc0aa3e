import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { statusWords } from "./order-words.ts";

const dots: Record<OrderStatus, string> = {
  Pending: "border border-line-strong",
  PaymentProcessing: "bg-line-strong",
  PaymentProcessed: "bg-accent",
  Shipped: "bg-ink",
  Delivered: "bg-good",
  Cancelled: "bg-danger",
};

/** The status of an order in words, with a dot in its colour. */
export function StatusLabel({ status }: { status: string }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        aria-hidden
        className={classes("size-2.5 shrink-0 rounded-full", isOrderStatus(status) && dots[status])}
      />
      {statusWords(status)}
    </span>
  );
}
