import {
  amountsOf,
  amountsText,
  dueOnceCancelled,
  loansUnderWay,
  type MerchantLedger,
  type MerchantOrder,
  type TransitionAnswer,
} from "@keepsats/protocol";

/** The sums that must be refunded if an order is cancelled; an empty text for nothing. */
export function refundOnceCancelled(ledger: MerchantLedger): string {
  return amountsText(dueOnceCancelled(ledger), ledger.unknown_amounts);
}

/** What becomes of the money and the loans of a cancelled order, in sentences. */
export function cancellationTexts(
  { ledger, loans }: Pick<MerchantOrder, "ledger" | "loans">,
  { loans_under_way }: Pick<TransitionAnswer, "loans_under_way">,
): string[] {
  const texts: string[] = [];
  const due = amountsText(amountsOf(ledger, "refund_due"), ledger.unknown_amounts);
  if (due !== "") texts.push(`It was paid${timesText(ledger, loans)}: you owe a refund of ${due}.`);
  // One that was cancelled before has no answer about its loans.
  const underWay = loans_under_way ?? loansUnderWay(loans, ledger);
  if (underWay.length > 0)
    texts.push(
      'If one of these loans is paid out, "payment-issues list" shows the refund that is due then:',
      ...underWay.map(({ id, provider_status }) => `  ${id}  ${provider_status ?? "unknown"}`),
    );
  return texts;
}

function timesText({ entries }: MerchantLedger, loans: MerchantOrder["loans"]): string {
  const extensions = new Set(loans.filter((one) => one.is_extension).map(({ id }) => id));
  const paid = entries.filter(
    ({ kind, loan_id }) => kind === "received" && !extensions.has(loan_id ?? ""),
  );
  const count = new Set(paid.map(({ loan_id }) => loan_id)).size;
  return count > 1 ? ` by ${count} loans` : "";
}
