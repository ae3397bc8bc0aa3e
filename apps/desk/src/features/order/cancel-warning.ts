import { formatGroupedMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

type Order = Pick<MerchantOrder, "status"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "received" | "refunded" | "refundable">;
  readonly loans: readonly Pick<MerchantOrder["loans"][number], "state">[];
};

/**
 * Warns of the refund that cancelling an order causes; `undefined` if no money was received or is
 * expected.
 */
export function cancelWarning({ status, ledger, loans }: Order): string | undefined {
  // `refundable` is 0 while an order is paid.
  const isPaid = status === "PaymentProcessed";
  const due = isPaid ? ledger.received - ledger.refunded : ledger.refundable;
  const received = isPaid ? "This order is paid." : "Money was received for this order.";
  if (due > 0)
    return `${received} If you cancel it, ${formatGroupedMoney(due)} must be refunded. The refund is then listed under Payments.`;
  if (status === "PaymentProcessing" || loans.some(({ state }) => state === "active"))
    return "A loan for this order is active, and cancelling does not stop it. If it is paid out later, the money must be refunded. The refund is then listed under Payments.";
  return undefined;
}
