import { shopCurrency } from "@keepsats/domain";
import {
  type AdminLedger,
  type AdminOrder,
  amountsText,
  dueOnceCancelled,
  ledgerSums,
  openLoansIn,
} from "@keepsats/protocol";
import { counted } from "../../lib/format.ts";
import { refundDueText } from "../../refunds/refunds.ts";
import type { Figure } from "../../ui/values.tsx";

/** The figures of a ledger that are not 0, and always what was received. */
export function ledgerRows(ledger: AdminLedger): readonly Figure[] {
  const sums = ledgerSums(ledger);
  const { unknown_amounts: count } = ledger;
  if (count > 0) {
    const label = count === 1 ? "Received" : `Received, by ${count} loans`;
    return [{ label, cents: null, currency: "" }, ...sums];
  }
  if (sums.some(({ label }) => label === "Received")) return sums;
  return [{ label: "Received", cents: 0, currency: shopCurrency.code }, ...sums];
}

/**
 * The number of open payment issues and the refund due, as texts. A payout after the cancellation
 * counts as a refund only: it needs no decision.
 */
export function openIssues({ payment_issues, ledger }: AdminOrder) {
  const count = payment_issues.filter(
    ({ kind, open_amount, resolution }) =>
      resolution === null && !(kind === "paid-after-cancel" && open_amount !== null),
  ).length;
  return {
    issues: count === 0 ? undefined : `${counted(count, "payment issue")}.`,
    refund: refundDueText(ledger) || undefined,
  };
}

/** The consequences of a cancellation for the order's money, then for its loans. */
export function cancelConsequences({ ledger, loans }: AdminOrder): readonly string[] {
  const due = amountsText(dueOnceCancelled(ledger), ledger.unknown_amounts);
  const money =
    due === ""
      ? "No money was received: nothing to refund."
      : `To refund: ${due}. It is then listed under Payments.`;
  const active = openLoansIn(loans, ledger).length;
  if (active === 0) return [money];
  return [
    money,
    `${counted(active, "loan")} may still be paid out: cancelling an order does not stop its loans. Any money that arrives will be listed under Payments.`,
  ];
}
