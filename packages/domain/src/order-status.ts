/**
 * All order statuses, in the order of an order's life. To add a status, add it here: the compiler
 * then reports every place that must handle it, for example its row in `rules` and its text in the
 * web app.
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

/** The name of each status. Screens with words of their own have a table of their own. */
export const orderStatusLabels: Readonly<Record<OrderStatus, string>> = {
  Pending: "Pending",
  PaymentProcessing: "Payment processing",
  PaymentProcessed: "Payment processed",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

/** The rules for one status. */
interface StatusRule {
  /** The statuses that may follow it. */
  readonly next: readonly OrderStatus[];
  /**
   * Who gives orders this status: the shop when an order is placed, the provider's loan status,
   * or the merchant.
   */
  readonly movedBy: "shop" | "provider" | "merchant";
  /** Whether the order is not paid yet, so that its loans are checked with the provider. */
  readonly awaitsPayment: boolean;
  /** Whether the order is paid and not cancelled. */
  readonly isPaid: boolean;
  /** Whether the order may still be shipped, so that its shipping address can be corrected. */
  readonly awaitsShipping: boolean;
}

const rules = {
  Pending: {
    next: ["PaymentProcessing", "PaymentProcessed", "Cancelled"],
    movedBy: "shop",
    awaitsPayment: true,
    isPaid: false,
    awaitsShipping: true,
  },
  PaymentProcessing: {
    next: ["PaymentProcessed", "Pending", "Cancelled"],
    movedBy: "provider",
    awaitsPayment: true,
    isPaid: false,
    awaitsShipping: true,
  },
  PaymentProcessed: {
    next: ["Shipped", "Cancelled"],
    movedBy: "provider",
    awaitsPayment: false,
    isPaid: true,
    awaitsShipping: true,
  },
  Shipped: {
    next: ["Delivered"],
    movedBy: "merchant",
    awaitsPayment: false,
    isPaid: true,
    awaitsShipping: false,
  },
  Delivered: {
    next: [],
    movedBy: "merchant",
    awaitsPayment: false,
    isPaid: true,
    awaitsShipping: false,
  },
  Cancelled: {
    next: [],
    movedBy: "merchant",
    awaitsPayment: false,
    isPaid: false,
    awaitsShipping: false,
  },
} as const satisfies Record<OrderStatus, StatusRule>;

/** A status that only the merchant gives to orders. */
export type MerchantStatus = {
  [Status in OrderStatus]: (typeof rules)[Status]["movedBy"] extends "merchant" ? Status : never;
}[OrderStatus];

/** The status of a new order. */
export const FIRST_STATUS: OrderStatus = "Pending";

/** The statuses that may follow a status; none follows `Delivered` or `Cancelled`. */
export function nextStatuses(status: OrderStatus): readonly OrderStatus[] {
  return rules[status].next;
}

/** Whether an order may move from one status to another. False when both are the same. */
export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  return nextStatuses(from).includes(to);
}

/**
 * Whether an order in this status is not paid yet, so that its loans are checked with the
 * provider.
 */
export function awaitsPayment(status: OrderStatus): boolean {
  return rules[status].awaitsPayment;
}

/** Whether an order in this status is paid and not cancelled. A status of a newer version is not. */
export function isPaidStatus(status: string): boolean {
  return isOrderStatus(status) && rules[status].isPaid;
}

/**
 * Whether an order in this status may still be shipped, so that its shipping address can be
 * corrected.
 */
export function awaitsShipping(status: OrderStatus): boolean {
  return rules[status].awaitsShipping;
}

/** Whether this is a status that the merchant gives to orders. */
export function isMerchantStatus(status: OrderStatus): status is MerchantStatus {
  return rules[status].movedBy === "merchant";
}

/** Whether a text is the name of a status. */
export function isOrderStatus(text: string): text is OrderStatus {
  return (orderStatuses as readonly string[]).includes(text);
}
