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

/** The phase of an order with regard to its money. */
export type MoneyPhase = "awaiting" | "paid" | "cancelled";

interface StatusRule {
  /** The statuses that may follow it. */
  readonly next: readonly OrderStatus[];
  /** Whether staff may set it; the other statuses follow from loans. */
  readonly staffMaySet: boolean;
  /**
   * `awaiting`: the order's loans are checked with the provider. `cancelled`: the order's money must
   * be refunded, and its items are restocked.
   */
  readonly money: MoneyPhase;
  /** Whether the order may still be shipped, so that its shipping address can be corrected. */
  readonly awaitsShipping: boolean;
}

const rules = {
  Pending: {
    next: ["PaymentProcessing", "PaymentProcessed", "Cancelled"],
    staffMaySet: false,
    money: "awaiting",
    awaitsShipping: true,
  },
  PaymentProcessing: {
    next: ["PaymentProcessed", "Pending", "Cancelled"],
    staffMaySet: false,
    money: "awaiting",
    awaitsShipping: true,
  },
  PaymentProcessed: {
    next: ["Shipped", "Cancelled"],
    staffMaySet: false,
    money: "paid",
    awaitsShipping: true,
  },
  Shipped: {
    next: ["Delivered"],
    staffMaySet: true,
    money: "paid",
    awaitsShipping: false,
  },
  Delivered: {
    next: [],
    staffMaySet: true,
    money: "paid",
    awaitsShipping: false,
  },
  Cancelled: {
    next: [],
    staffMaySet: true,
    money: "cancelled",
    awaitsShipping: false,
  },
} as const satisfies Record<OrderStatus, StatusRule>;

/** A status that staff may set. */
export type StaffStatus = {
  [Status in OrderStatus]: (typeof rules)[Status]["staffMaySet"] extends true ? Status : never;
}[OrderStatus];

export const FIRST_STATUS: OrderStatus = "Pending";

/** The statuses from which an order cannot move. */
export const finalStatuses: readonly OrderStatus[] = orderStatuses.filter(
  (status) => rules[status].next.length === 0,
);

export function nextStatuses(status: OrderStatus): readonly OrderStatus[] {
  return rules[status].next;
}

/** Whether an order may move from one status to another. False if both are the same. */
export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  return nextStatuses(from).includes(to);
}

/** A status of a newer version counts as paid. */
export function moneyPhaseOf(status: string): MoneyPhase {
  return isOrderStatus(status) ? rules[status].money : "paid";
}

/** A status of a newer version awaits no payment. */
export function awaitsPayment(status: string): boolean {
  return isOrderStatus(status) && rules[status].money === "awaiting";
}

/** A status of a newer version does not count as paid. */
export function isPaidStatus(status: string): boolean {
  return isOrderStatus(status) && rules[status].money === "paid";
}

/** A status of a newer version does not await shipping. */
export function awaitsShipping(status: string): boolean {
  return isOrderStatus(status) && rules[status].awaitsShipping;
}

export function restocksItems(status: OrderStatus): boolean {
  return rules[status].money === "cancelled";
}

export function isStaffStatus(status: OrderStatus): status is StaffStatus {
  return rules[status].staffMaySet;
}

export function isOrderStatus(text: string): text is OrderStatus {
  return (orderStatuses as readonly string[]).includes(text);
}
