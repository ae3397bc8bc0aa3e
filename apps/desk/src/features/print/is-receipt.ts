import { isPaidStatus } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

/**
 * Whether an order is paid, so that what is printed is a receipt. A cancelled order is one if money
 * was received for it.
 */
export function isReceipt({
  status,
  ledger,
}: Pick<MerchantOrder, "status"> & { ledger: { received: number } }) {
  return isPaidStatus(status) || (status === "Cancelled" && ledger.received > 0);
}
