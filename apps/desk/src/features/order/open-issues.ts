import { amountsOf, amountsText, type MerchantOrder } from "@keepsats/protocol";
import { counted } from "../../ui/counted.ts";

type Order = {
  readonly payment_issues: readonly Pick<
    MerchantOrder["payment_issues"][number],
    "kind" | "open_amount" | "resolution"
  >[];
  readonly ledger: Parameters<typeof amountsOf>[0];
};

/**
 * The open payment issues of an order, and its refund due, as texts. A refund that is due because
 * the order is cancelled is no issue besides: it needs a refund, no decision.
 */
export function openIssues({ payment_issues, ledger }: Order) {
  const count = payment_issues.filter(
    ({ kind, open_amount, resolution }) =>
      resolution === null && !(kind === "paid-after-cancel" && open_amount !== null),
  ).length;
  const due = amountsText(amountsOf(ledger, "refund_due"));
  return {
    issues: count === 0 ? undefined : `${counted(count, "payment issue")}.`,
    refund: due === "" ? undefined : `Refund due: ${due}.`,
  };
}
