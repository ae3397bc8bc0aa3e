import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";
import { statusWords } from "../../ui/status-words.ts";

export type HistoryEvent = MerchantOrder["events"][number];

const moves: Record<OrderStatus, string> = {
  Pending: "Waits for payment again",
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
  "mismatch-resolved": "Mismatch resolved",
  erased: "Name, e-mail and addresses erased",
};

/** What happened, in a few words. An event of a newer server is told by its kind. */
export function eventWords({ kind, from, to }: Pick<HistoryEvent, "kind" | "from" | "to">): string {
  const words = kinds[kind];
  if (words !== undefined) return words;
  if (from === to) return kind;
  return isOrderStatus(to) ? moves[to] : statusWords(to);
}
