import { awaitsPayment, isOrderStatus } from "@keepsats/domain";

function isUnpaid(status: string): boolean {
  return isOrderStatus(status) && awaitsPayment(status);
}

/**
 * Whether an order has a packing slip: it is paid and not cancelled, so that something is or was
 * sent.
 */
export function hasSlip({ status }: { readonly status: string }): boolean {
  return status !== "Cancelled" && !isUnpaid(status);
}

/**
 * Whether an order has a receipt: it is paid, or it was cancelled after money was received for it.
 */
export function hasReceipt({
  status,
  received,
}: {
  readonly status: string;
  readonly received: number;
}) {
  return status === "Cancelled" ? received > 0 : !isUnpaid(status);
}
