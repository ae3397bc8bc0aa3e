import {
  isOrderStatus,
  isReturnState,
  type OrderStatus,
  orderStatusLabels,
  type ReturnState,
  returnStateLabels,
} from "@keepsats/domain";
import { actorLabel, type PackingOrder } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { ago } from "../lib/format.ts";

const statuses: Record<OrderStatus, string> = { ...orderStatusLabels, PaymentProcessed: "To ship" };

/** The label of a status; the status itself if a newer server has sent it. */
export function statusLabel(status: string): string {
  return isOrderStatus(status) ? statuses[status] : status;
}

const dots: Record<OrderStatus, string> = {
  Pending: "border border-line-strong",
  PaymentProcessing: "bg-line-strong",
  PaymentProcessed: "bg-accent",
  Shipped: "bg-ink",
  Delivered: "bg-good",
  Cancelled: "bg-danger",
};

/** The label of a status, with a dot in its colour. */
export function StatusLabel({ status }: { status: string }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        aria-hidden
        className={classes("size-2.5 shrink-0 rounded-full", isOrderStatus(status) && dots[status])}
      />
      {statusLabel(status)}
    </span>
  );
}

export const returnLabels: Readonly<Record<ReturnState, string>> = {
  ...returnStateLabels,
  completed: "Return completed without a refund",
};

/** The label of a return's state; the state itself if a newer server has sent it. */
export function returnLabel(state: string): string {
  return isReturnState(state) ? returnLabels[state] : state;
}

/** A loan's id, shortened if it is long. */
export function shortLoanId(id: string): string {
  return id.length > 12 ? id.slice(0, 8) : id;
}

/**
 * How an order reached its current status, for staff whose change came too late: "Shipped by Ada a
 * moment ago".
 *
 * @param now in epoch milliseconds
 */
export function statusChangeText(
  { status, events }: Pick<PackingOrder, "status" | "events">,
  now: number,
): string {
  const move = events.findLast(({ from, to }) => to === status && from !== to);
  const label = status === "PaymentProcessed" ? "Paid" : statusLabel(status);
  return move === undefined
    ? `${label} now`
    : `${label} by ${actorLabel(move)} ${ago(move.at, now)}`;
}
