import { formatGroupedMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

type Order = Pick<MerchantOrder, "payment_issues"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "refund_due">;
};

/**
 * The open payment issues of an order, as texts. A refund that is due because the order is
 * cancelled is named apart: it needs a refund, no decision.
 */
export function openIssues({ payment_issues, ledger }: Order) {
  const open = payment_issues.filter(({ resolution }) => resolution === null);
  const isRefundDue = ({ kind, amount }: (typeof open)[number]) =>
    kind === "paid-after-cancel" && amount !== null;
  const count = open.filter((issue) => !isRefundDue(issue)).length;
  return {
    issues: count === 0 ? undefined : count === 1 ? "1 payment issue." : `${count} payment issues.`,
    refund: open.some(isRefundDue)
      ? `Refund due: ${formatGroupedMoney(ledger.refund_due)}.`
      : undefined,
  };
}
