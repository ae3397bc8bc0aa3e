/**
 * All order statuses, in the order of an order's life. To add a status, add it here: the compiler
 * then reports every place that must handle it, for example its row in `rules` and its text in the
 * storefront.
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

/** The default labels of the statuses; some screens have their own. */
export const orderStatusLabels: Readonly<Record<OrderStatus, string>> = {
  Pending: "Pending",
  PaymentProcessing: "Payment processing",
  PaymentProcessed: "Payment processed",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

interface StatusRule {
  /** The statuses that may follow it. */
  readonly next: readonly OrderStatus[];
  /** The actor that sets this status: the shop for a new order, a loan's status, or staff. */
  readonly movedBy: "shop" | "provider" | "staff";
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
    movedBy: "staff",
    awaitsPayment: false,
    isPaid: true,
    awaitsShipping: false,
  },
  Delivered: {
    next: [],
    movedBy: "staff",
    awaitsPayment: false,
    isPaid: true,
    awaitsShipping: false,
  },
  Cancelled: {
    next: [],
    movedBy: "staff",
    awaitsPayment: false,
    isPaid: false,
    awaitsShipping: false,
  },
} as const satisfies Record<OrderStatus, StatusRule>;

/** A status that only staff set. */
export type StaffStatus = {
  [Status in OrderStatus]: (typeof rules)[Status]["movedBy"] extends "staff" ? Status : never;
}[OrderStatus];

export const FIRST_STATUS: OrderStatus = "Pending";

export function nextStatuses(status: OrderStatus): readonly OrderStatus[] {
  return rules[status].next;
}

/** Whether an order may move from one status to another. False if both are the same. */
export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  return nextStatuses(from).includes(to);
}

export function awaitsPayment(status: OrderStatus): boolean {
  return rules[status].awaitsPayment;
}

/** A status of a newer version does not count as paid. */
export function isPaidStatus(status: string): boolean {
  return isOrderStatus(status) && rules[status].isPaid;
}

export function awaitsShipping(status: OrderStatus): boolean {
  return rules[status].awaitsShipping;
}

export function isStaffStatus(status: OrderStatus): status is StaffStatus {
  return rules[status].movedBy === "staff";
}

export function isOrderStatus(text: string): text is OrderStatus {
  return (orderStatuses as readonly string[]).includes(text);
}
