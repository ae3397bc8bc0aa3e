import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import {
  type AdminOrder,
  happenedText,
  labelOf,
  type OrderEventKind,
  type PackingOrder,
} from "@keepsats/protocol";
import { returnLabels, shortLoanId } from "../../ui/order-labels.tsx";
import { loanLabel } from "./loan-labels.ts";

/** Packers get no reasons. */
export type HistoryEvent = PackingOrder["events"][number] &
  Partial<Pick<AdminOrder["events"][number], "reason">>;

const moves: Record<OrderStatus, string> = {
  Pending: "Payment attempt failed: awaiting payment again",
  PaymentProcessing: "A loan is active",
  PaymentProcessed: "Paid",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

/** The events that do not change the status. */
const kindLabels = {
  placed: "Placed",
  "attempt-failed": "Payment attempt failed",
  "address-corrected": "Shipping address corrected",
  "shipment-corrected": "Shipment corrected",
  noted: "Note",
  refunded: "Refunded",
  "refund-reversed": "Refund did not arrive",
  "return-requested": returnLabels.requested,
  "return-accepted": returnLabels.accepted,
  "return-received": returnLabels.received,
  "return-completed": returnLabels.completed,
  "return-declined": returnLabels.declined,
  "return-withdrawn": returnLabels.withdrawn,
  "issue-resolved": "Payment issue resolved",
  "issue-reopened": "Payment issue reopened",
  erased: "Name, email and addresses erased",
} satisfies Record<Exclude<OrderEventKind, "moved">, string>;

/** The kind itself for an event of a newer server. */
export function eventLabel({ kind, from, to }: Pick<HistoryEvent, "kind" | "from" | "to">): string {
  const move = isOrderStatus(to) ? moves[to] : to;
  return labelOf(kindLabels, kind, from === to ? kind : move);
}

/** Translates the server's reasons, such as `loan 2b89…: PrincipalGiven`. */
export function reasonText(reason: string): string {
  const [, id = "", status = ""] = /^loan (\S+): (\w+)$/.exec(reason) ?? [];
  if (id === "") return reason;
  const label = status === "accepted" ? "Accepted as full payment" : loanLabel(status, "");
  return `${label} (loan ${shortLoanId(id)})`;
}

/** What happened, as a line of the history. The kind itself for an issue of a newer server. */
export function issueLabel(issue: Pick<AdminOrder["payment_issues"][number], "kind">): string {
  return happenedText(issue).replace(/\.$/, "");
}

/** Whether a change is shown with its author: a loan that starts or fails has none. */
export function namesAuthor({ by, to }: Pick<HistoryEvent, "by" | "to">): boolean {
  return by !== "provider" || to === "PaymentProcessed";
}
