import { type Cents, isDecision, type JournalKind, journalKinds } from "@keepsats/domain";
import type { CurrencyBooks, KindSum } from "@keepsats/protocol";

const kindLabels: Readonly<Record<JournalKind, string>> = {
  received: "Payouts received",
  reversed: "Payouts reversed",
  corrected: "Amounts corrected by the loan provider",
  extension: "Extensions: no new money",
  transferred: "Moved between orders",
  refunded: "Refunded",
  "refund-reversed": "Refunds that did not arrive",
  kept: "Kept",
  waived: "Waived or granted",
  "written-off": "Written off",
};

/** The kind itself if a newer server sends it. */
export function kindLabel(kind: string): string {
  const known = journalKinds.find((one) => one === kind);
  return known === undefined ? kind : kindLabels[known];
}

/** A kind that a newer server sends counts as a move of money. */
function isDecisionKind(kind: string): boolean {
  const known = journalKinds.find((one) => one === kind);
  return known !== undefined && isDecision(known);
}

/** The kinds that move money, and the decisions that do not. */
export function movesAndDecisions(sums: readonly KindSum[]) {
  return {
    moves: sums.filter(({ kind }) => !isDecisionKind(kind)),
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
