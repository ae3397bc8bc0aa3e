/** Every state an order can be in. */
export const orderStatuses = [
  "Pending",
  "PaymentProcessing",
  "PaymentProcessed",
  "Shipped",
  "Delivered",
  "Cancelled",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Where an order may go from each state. Nothing leaves `Delivered` or `Cancelled`. */
export const transitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  Pending: ["PaymentProcessing", "PaymentProcessed", "Cancelled"],
  PaymentProcessing: ["PaymentProcessed", "Pending", "Cancelled"],
  PaymentProcessed: ["Shipped", "Cancelled"],
  Shipped: ["Delivered"],
  Delivered: [],
  Cancelled: [],
};

/** Whether an order in `from` may move to `to`. Staying where it is counts as no move. */
export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  return transitions[from].includes(to);
}

/** Whether an order in this state still waits for its money, so that loan contracts of it are watched. */
export function awaitsPayment(status: OrderStatus): boolean {
  return status === "Pending" || status === "PaymentProcessing";
}

/** Whether a text is one of the six states. */
export function isOrderStatus(text: string): text is OrderStatus {
  return (orderStatuses as readonly string[]).includes(text);
}
