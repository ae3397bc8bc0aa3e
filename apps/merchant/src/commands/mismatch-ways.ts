import { awaitsPayment, type Cents, decimalFromCents, isOrderStatus, shortOrderId } from "@keepsats/domain";
import type { MerchantMismatch } from "@keepsats/protocol";

/** A command that records a refund, to be copied. */
export function refundCommand(orderId: string, cents: Cents): string {
  return `orders refund ${shortOrderId(orderId)} ${decimalFromCents(cents)} --method "bank transfer"`;
}

/** What can be done about an open mismatch: each way with its commands. `named` names it in them. */
export function waysOf({ kind, order_id, order_status, amount }: MerchantMismatch, named: string): string[] {
  const resolve = (as: string, note: string) => `  mismatches resolve ${named} --as ${as} --note "${note}"`;
  const isAcceptable =
    kind === "underpaid" &&
    amount !== null &&
    order_status !== null &&
    isOrderStatus(order_status) &&
    awaitsPayment(order_status);
  const canRefund = order_id !== null && amount !== null && amount > 0;
  return [
    "You have given the money back:",
    ...(canRefund ? [`  ${refundCommand(order_id, amount)}`] : []),
    resolve("given-back", "transferred on Monday"),
    ...(isAcceptable
      ? ["It is enough, and the order is paid by it:", resolve("accepted", "agreed on the phone")]
      : []),
    "Nothing is to do, or the shop keeps the money:",
    resolve("explained", "asked the provider"),
  ];
}
