import { type Cents, formatVatRate, type JournalKind } from "@keepsats/domain";
import type { CurrencyBooks, KindSum, RateSum } from "@keepsats/protocol";
import { isDecisionKind } from "../../lib/journal.ts";

const kindLabels: Readonly<Record<string, string>> = {
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
  return kindLabels[kind] ?? kind;
}

/** The kinds that change the balance, and the decisions that do not. */
export function changesAndDecisions(sums: readonly KindSum[]) {
  return {
    changes: sums.filter(({ kind }) => !isDecisionKind(kind)),
    decisions: sums.filter(({ kind }) => isDecisionKind(kind)),
  };
}

const refundKinds: readonly string[] = ["refunded", "refund-reversed"];

interface StatementRow {
  readonly period: string;
  readonly received: Cents;
  readonly refunded: Cents;
  /** At the end of the period. */
  readonly balance: Cents;
}

/** Each day or month with the balance at its end, oldest first. */
export function statementRows({
  opening,
  periods,
}: Pick<CurrencyBooks, "opening" | "periods">): StatementRow[] {
  let balance = opening.held;
  return periods.map(({ period, sums, change }) => {
    balance += change;
    const refunded = sums
      .filter(({ kind }) => refundKinds.includes(kind))
      .reduce((sum, kind) => sum + kind.change, 0);
    return { period, received: change - refunded, refunded, balance };
  });
}

interface VatRow {
  readonly label: string;
  /** Receipts, credit notes, net and VAT. */
  readonly sums: readonly Cents[];
  readonly isTotal: boolean;
}

/** The sums of each VAT rate and their total. */
export function vatRows(rates: readonly RateSum[]): VatRow[] {
  const row = (label: string, sums: readonly RateSum[], isTotal: boolean): VatRow => {
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
