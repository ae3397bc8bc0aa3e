import { isOrderStatus, type OrderStatus } from "@keepsats/domain";

const words: Record<OrderStatus, string> = {
  Pending: "Pending",
  PaymentProcessing: "Payment processing",
  PaymentProcessed: "To ship",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

/** The words for a status; a status of a newer server as it is. */
export function statusWords(status: string): string {
  return isOrderStatus(status) ? words[status] : status;
}
