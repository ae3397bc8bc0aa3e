/**
 * Every status that an order can have, in the order in which an order passes them. To add one, write it here: the
 * compiler then names every place that has to say something about it (its row below, its text on the screen, ...).
 */
export const orderStatuses = [
  "Pending",
  "PaymentProcessing",
  "PaymentProcessed",
  "Shipped",
  "Delivered",
  "Cancelled",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** What the rules of the shop say about a status. */
interface StatusRule {
  /** Where an order may go from here. */
  readonly next: readonly OrderStatus[];
  /** Who moves an order here: the shop when it is placed, the loan provider's record, or the merchant. */
  readonly movedBy: "shop" | "provider" | "merchant";
  /** The order still waits for its money, so the provider is asked about its loans. */
  readonly awaitsPayment: boolean;
}

const rules = {
  Pending: {
    next: ["PaymentProcessing", "PaymentProcessed", "Cancelled"],
    movedBy: "shop",
    awaitsPayment: true,
  },
  PaymentProcessing: {
    next: ["PaymentProcessed", "Pending", "Cancelled"],
    movedBy: "provider",
    awaitsPayment: true,
  },
  PaymentProcessed: { next: ["Shipped", "Cancelled"], movedBy: "provider", awaitsPayment: false },
  Shipped: { next: ["Delivered"], movedBy: "merchant", awaitsPayment: false },
  Delivered: { next: [], movedBy: "merchant", awaitsPayment: false },
  Cancelled: { next: [], movedBy: "merchant", awaitsPayment: false },
} as const satisfies Record<OrderStatus, StatusRule>;

/** A status that the merchant gives to an order, and nobody else. */
export type MerchantStatus = {
  [Status in OrderStatus]: (typeof rules)[Status]["movedBy"] extends "merchant" ? Status : never;
}[OrderStatus];

/** The status of an order that has just been placed. */
export const FIRST_STATUS: OrderStatus = "Pending";

/** Where an order may go from each status. Nothing leaves `Delivered` or `Cancelled`. */
export function nextStatuses(status: OrderStatus): readonly OrderStatus[] {
  return rules[status].next;
}

/** Whether an order in `from` may move to `to`. Staying where it is counts as no move. */
export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  return nextStatuses(from).includes(to);
}

/** Whether an order in this status still waits for its money, so that the provider is asked about its loans. */
export function awaitsPayment(status: OrderStatus): boolean {
  return rules[status].awaitsPayment;
}

/** Whether the merchant gives this status to orders. */
export function isMerchantStatus(status: OrderStatus): status is MerchantStatus {
  return rules[status].movedBy === "merchant";
}

/** Whether a text is the name of a status. */
export function isOrderStatus(text: string): text is OrderStatus {
  return (orderStatuses as readonly string[]).includes(text);
}
