import { formatVatRate, type JournalKind } from "@keepsats/domain";
import { type CurrencyBooks, type KindSum, labelOf, type RateSum } from "@keepsats/protocol";
import { isDecisionKind } from "../../lib/journal.ts";

const kindLabels = {
  received: "Payouts received",
  reversed: "Payouts reversed",
  corrected: "Amounts corrected by the loan provider",
  extension: "Loan extensions, no new money",
  transferred: "Moved between orders",
  refunded: "Refunded",
  "refund-reversed": "Refunds that did not arrive",
  kept: "Kept",
  waived: "Refunds granted or debts waived",
  "written-off": "Written off",
} satisfies Record<JournalKind, string>;

/** The kind itself if a newer server sends it. */
export function kindLabel(kind: string): string {
  return labelOf(kindLabels, kind, kind);
}

/** The kinds that change the balance, and the decisions that do not. */
export function changesAndDecisions(sums: readonly KindSum[]) {
  return {
    changes: sums.filter(({ kind }) => !isDecisionKind(kind)),
    decisions: sums.filter(({ kind }) => isDecisionKind(kind)),
  };
}

const refundKinds: readonly string[] = ["refunded", "refund-reversed"];

/** Each day or month with the balance at its end, oldest first. */
export function statementRows({ opening, periods }: Pick<CurrencyBooks, "opening" | "periods">) {
  let balance = opening.held;
  return periods.map(({ period, sums, change }) => {
    balance += change;
    const refunded = sums
      .filter(({ kind }) => refundKinds.includes(kind))
      .reduce((sum, kind) => sum + kind.change, 0);
    return { period, received: change - refunded, refunded, balance };
  });
}

/** The sums of each VAT rate and their total: receipts, credit notes, net and VAT. */
export function vatRows(rates: readonly RateSum[]) {
  const row = (label: string, sums: readonly RateSum[], isTotal: boolean) => {
    const sum = (field: "receipts" | "credit_notes" | "vat") =>
      sums.reduce((total, rate) => total + rate[field], 0);
    const [receipts, credits, vat] = [sum("receipts"), sum("credit_notes"), sum("vat")];
    return { label, sums: [receipts, credits, receipts - credits - vat, vat], isTotal };
  };
  return [
    ...rates.map((rate) =>
      row(rate.rate === null ? "No VAT" : formatVatRate(rate.rate), [rate], false),
    ),
    row("Total", rates, true),
  ];
}
