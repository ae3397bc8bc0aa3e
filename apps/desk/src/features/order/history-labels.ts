import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";
import { shortLoanId, statusWords } from "../../ui/order-words.ts";
import { loanLabel } from "./loan-labels.ts";

export type HistoryEvent = MerchantOrder["events"][number];

const moves: Record<OrderStatus, string> = {
  Pending: "Payment attempt failed: awaits payment again",
  PaymentProcessing: "A loan is active",
  PaymentProcessed: "Paid",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

/** Labels of the events that do not move the order. */
const kinds: Readonly<Record<string, string>> = {
  placed: "Placed",
  "attempt-over": "Payment attempt failed",
  "address-corrected": "Shipping address corrected",
  "shipment-corrected": "Shipment corrected",
  noted: "Note",
  refunded: "Refunded",
  "refund-reversed": "Refund did not arrive",
  "issue-resolved": "Payment issue resolved",
  "issue-reopened": "Payment issue opened again",
  erased: "Name, email and addresses erased",
};

/** The label of an event. The kind itself for an event of a newer server. */
export function eventLabel({ kind, from, to }: Pick<HistoryEvent, "kind" | "from" | "to">): string {
  const label = kinds[kind];
  if (label !== undefined) return label;
  if (from === to) return kind;
  return isOrderStatus(to) ? moves[to] : statusWords(to);
}

/** The text of an event's reason. The server's are such as `loan 2b89…: PrincipalGiven`. */
export function reasonText(reason: string): string {
  const [, id = "", status = ""] = /^loan (\S+): (\w+)$/.exec(reason) ?? [];
  if (id === "") return reason;
  const label = status === "accepted" ? "Accepted as full payment" : loanLabel(status, "");
  return `${label} (loan ${shortLoanId(id)})`;
}

const issues: Readonly<Record<MerchantOrder["payment_issues"][number]["kind"], string>> = {
  underpaid: "A loan lends less than the total",
  overpaid: "A loan has paid more than the total",
  "wrong-currency": "A loan lends another currency",
  "unknown-order": "A loan names another order",
  duplicate: "A second loan was paid out",
  "paid-after-cancel": "Paid after the cancellation",
  disputed: "A loan is disputed",
  "changed-after-payout": "A loan was changed after its payout",
  unrecognized: "A loan is reported in an unknown way",
};

/** The label of a payment issue in the history. Its detail names the sums. */
export function issueLabel({
  kind,
}: Pick<MerchantOrder["payment_issues"][number], "kind">): string {
  return issues[kind];
}

/** Whether a change names its author. A loan that starts or fails is not an act of the lender. */
export function saysWho({ by, to }: Pick<HistoryEvent, "by" | "to">): boolean {
  return by !== "provider" || to === "PaymentProcessed";
}
