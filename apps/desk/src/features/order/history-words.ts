import { formatGroupedMoney, isOrderStatus, type OrderStatus } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";
import { shortLoanId, statusWords } from "../../ui/order-words.ts";
import { loanWords } from "./loan-words.ts";

export type HistoryEvent = MerchantOrder["events"][number];

const moves: Record<OrderStatus, string> = {
  Pending: "The loan came to nothing: waits for payment again",
  PaymentProcessing: "A loan is under way",
  PaymentProcessed: "Paid",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

/** What the kinds of events mean that do not move the order. */
const kinds: Readonly<Record<string, string>> = {
  placed: "Placed",
  "attempt-over": "A loan came to nothing",
  "address-corrected": "Shipping address corrected",
  "shipment-corrected": "Shipment corrected",
  noted: "Note",
  refunded: "Money given back",
  "mismatch-resolved": "Payment that did not fit: dealt with",
  erased: "Name, email and addresses erased",
};

/** What happened, in a few words. An event of a newer server is told by its kind. */
export function eventWords({ kind, from, to }: Pick<HistoryEvent, "kind" | "from" | "to">): string {
  const words = kinds[kind];
  if (words !== undefined) return words;
  if (from === to) return kind;
  return isOrderStatus(to) ? moves[to] : statusWords(to);
}

/**
 * The reason of a change in words. The server names the loan and the provider's status: `contract
 * 2b89…: PrincipalGiven`.
 */
export function reasonWords(reason: string): string {
  const [, id = "", status = ""] = /^contract (\S+): (\w+)$/.exec(reason) ?? [];
  if (id === "") return reason;
  const words = status === "accepted" ? "Accepted as full payment" : loanWords(status, "");
  return `${words} (loan ${shortLoanId(id)})`;
}

/** What came by a payment that did not fit, in a few words. */
export function mismatchEntryWords({
  kind,
  amount,
}: Pick<MerchantOrder["mismatches"][number], "kind" | "amount">): string {
  if (amount === null) return "A payment does not fit";
  const money = formatGroupedMoney(amount);
  switch (kind) {
    case "refund-owed":
      return `${money} to give back`;
    case "overpaid":
      return `${money} too much came`;
    case "underpaid":
      return `${money} came, which is less than the order costs`;
    case "paid-after-cancel":
      return `${money} came after the order was cancelled`;
    default:
      return `${money} came that does not pay the order`;
  }
}

/**
 * Whether a change says who made it: that a loan is under way or came to nothing is no act of the
 * lender's.
 */
export function saysWho({ by, to }: Pick<HistoryEvent, "by" | "to">): boolean {
  return by !== "provider" || to === "PaymentProcessed";
}
