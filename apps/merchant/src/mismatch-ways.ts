import {
  awaitsPayment,
  type Cents,
  decimalFromCents,
  isOrderStatus,
  shortOrderId,
} from "@keepsats/domain";
import type { MerchantMismatch } from "@keepsats/protocol";

/** A command that records a refund, to be copied. */
export function refundCommand(orderId: string, cents: Cents): string {
  return `orders refund ${shortOrderId(orderId)} ${decimalFromCents(cents)} --method "bank transfer"`;
}

/**
 * What can be done about an open mismatch: each way with the commands that are still to be called.
 * `named` names the mismatch in them.
 */
export function waysOf(mismatch: MerchantMismatch, named: string): string[] {
  const { kind, order_status, amount } = mismatch;
  const resolve = (as: string, note: string) =>
    `  mismatches resolve ${named} --as ${as} --note "${note}"`;
  const isAcceptable =
    kind === "underpaid" &&
    order_status !== null &&
    isOrderStatus(order_status) &&
    awaitsPayment(order_status);
  const explained = [
    "Nothing is to do, or the shop keeps the money:",
    resolve("explained", "asked the provider"),
  ];
  if (amount === null)
    return [
      "No money has come in by it, or the shop does not know how much. Give nothing back before you",
      "know it: if the loan is paid out, the amount stands here, and can be given back.",
      ...explained,
    ];
  return [
    ...givenBackBy(mismatch, amount, resolve("given-back", "transferred on Monday")),
    ...(isAcceptable
      ? ["It is enough, and the order is paid by it:", resolve("accepted", "agreed on the phone")]
      : []),
    ...explained,
  ];
}

/**
 * The command that says that the money was given back: the refund that is not recorded yet, or
 * otherwise the resolution.
 */
function givenBackBy(
  { order_id, order_status, still_owed }: MerchantMismatch,
  amount: Cents,
  resolution: string,
): string[] {
  // Without an order of the shop there is nothing to record a refund for.
  if (order_id === null || order_status === null)
    return ["You have given the money back:", resolution];
  // An older server does not say what is still owed.
  const missing = still_owed ?? amount;
  if (missing === 0) return ["You have given the money back, and that is recorded:", resolution];
  return [
    "You have given the money back (the refund resolves the mismatch, unless the order owes more):",
    `  ${refundCommand(order_id, missing)}`,
  ];
}
