import { formatGroupedMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

type Judged = Pick<MerchantOrder, "status"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "received" | "given_back" | "refundable">;
  readonly contracts: readonly Pick<MerchantOrder["contracts"][number], "meaning">[];
};

/**
 * Warns of the refund that cancelling an order causes; `undefined` if no money was received or is
 * expected.
 */
export function cancelWarning({ status, ledger, contracts }: Judged): string | undefined {
  // `refundable` is 0 while an order is paid.
  const isPaid = status === "PaymentProcessed";
  const due = isPaid ? ledger.received - ledger.given_back : ledger.refundable;
  const received = isPaid ? "This order is paid." : "Money was received for this order.";
  if (due > 0)
    return `${received} If you cancel it, ${formatGroupedMoney(due)} must be refunded. The refund is then listed under Payments.`;
  if (status === "PaymentProcessing" || contracts.some(({ meaning }) => meaning === "processing"))
    return "A loan for this order is active, and cancelling does not stop it. If it is paid out later, the money must be refunded. The refund is then listed under Payments.";
  return undefined;
}

type Issues = Pick<MerchantOrder, "mismatches"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "owed">;
};

/**
 * The open payment issues of an order. A refund due only because staff cancelled a paid order is
 * listed apart.
 */
export function openIssues({ mismatches, ledger }: Issues) {
  const open = mismatches.filter(({ resolution }) => resolution === null);
  const issues = open.filter(({ kind }) => kind !== "refund-owed").length;
  return {
    issues:
      issues === 0 ? undefined : issues === 1 ? "1 payment issue." : `${issues} payment issues.`,
    refund: issues === open.length ? undefined : `Refund due: ${formatGroupedMoney(ledger.owed)}.`,
  };
}
