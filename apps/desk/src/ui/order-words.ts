import { isOrderStatus, type OrderStatus } from "@keepsats/domain";

const statuses: Record<OrderStatus, string> = {
  Pending: "Pending",
  PaymentProcessing: "Payment processing",
  PaymentProcessed: "To ship",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

/** The words for a status; a status of a newer server as it is. */
export function statusWords(status: string): string {
  return isOrderStatus(status) ? statuses[status] : status;
}

/** Who made a change of an order. */
interface Author {
  readonly by: string;
  readonly by_name: string | null;
}

const actors: Readonly<Record<string, string>> = {
  shopper: "the shopper",
  provider: "the lender",
  shop: "the shop",
  merchant: "staff",
};

/** Who made a change: a person or a token by name. */
export function byWords({ by, by_name }: Author): string {
  return by_name ?? actors[by] ?? by;
}

/** The beginning of a loan's id, by which people tell loans apart. */
export function shortLoanId(id: string): string {
  return id.length > 12 ? id.slice(0, 8) : id;
}
