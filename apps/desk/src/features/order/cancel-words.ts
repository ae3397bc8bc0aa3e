import { formatGroupedMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

type Judged = Pick<MerchantOrder, "status"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "received" | "given_back" | "refundable">;
  readonly contracts: readonly Pick<MerchantOrder["contracts"][number], "meaning">[];
};

/** What has to be refunded if an order is cancelled as it is now; `undefined` if there is no money and none is on its way. */
export function cancelWarning({ status, ledger, contracts }: Judged): string | undefined {
  // While an order is paid nothing is refundable.
  const isPaid = status === "PaymentProcessed";
  const due = isPaid ? ledger.received - ledger.given_back : ledger.refundable;
  const received = isPaid ? "This order is paid." : "Money was received for this order.";
  if (due > 0)
    return `${received} After you cancel it, ${formatGroupedMoney(due)} has to be refunded. It is listed under Payments.`;
  if (status === "PaymentProcessing" || contracts.some(({ meaning }) => meaning === "processing"))
    return "A loan for this order is active, and cancelling does not stop it. If it is paid out later, the money has to be refunded: it is then listed under Payments.";
  return undefined;
}

type Issues = Pick<MerchantOrder, "mismatches"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "owed">;
};

/** The open payment issues of an order. What is only to be refunded, because staff cancelled a paid order, is not one. */
export function openIssues({ mismatches, ledger }: Issues) {
  const open = mismatches.filter(({ resolution }) => resolution === null);
  const issues = open.filter(({ kind }) => kind !== "refund-owed").length;
  return {
    issues: issues === 0 ? undefined : issues === 1 ? "1 payment issue." : `${issues} payment issues.`,
    refund: issues === open.length ? undefined : `Refund due: ${formatGroupedMoney(ledger.owed)}.`,
  };
}
