import type { MerchantOrder } from "@keepsats/protocol";

const paid = ["PaymentProcessed", "Shipped", "Delivered"];

/**
 * Whether an order is paid, so that what is printed is a receipt. A cancelled order is one if money
 * was received for it.
 */
export function isReceipt({
  status,
  ledger,
}: Pick<MerchantOrder, "status"> & { ledger: { received: number } }) {
  return paid.includes(status) || (status === "Cancelled" && ledger.received > 0);
}
