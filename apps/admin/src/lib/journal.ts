import { type Cents, isDecision, journalKinds } from "@keepsats/domain";
import { type AdminEntry, actorLabel, entryLabel } from "@keepsats/protocol";

export const DECISIONS_HEADING = "Decisions of staff, which move no money";

/** A kind that a newer server sends counts as one that changes the balance. */
export function isDecisionKind(kind: string): boolean {
  const known = journalKinds.find((one) => one === kind);
  return known !== undefined && isDecision(known);
}

/** A journal entry, prepared for the screen. */
export interface JournalLine {
  readonly entry: AdminEntry;
  readonly label: string;
  /** With a minus sign for a refund; `null` if it is unknown. */
  readonly amount: Cents | null;
  /** Loan, method, reference and reason, if the entry has them. */
  readonly detail: string;
  readonly by: string;
  /** The id of the refund, if it can be reversed: each refund once. */
  readonly reversible: string | undefined;
}

export function journalLines(entries: readonly AdminEntry[]): readonly JournalLine[] {
  const reversed = new Set(
    entries.filter(({ kind }) => kind === "refund-reversed").map(({ refund_id }) => refund_id),
  );
  return entries.map((entry) => {
    const { kind, amount, refund_id, loan_id, method, reference, reason, by } = entry;
    const isReversible = kind === "refunded" && refund_id !== null && !reversed.has(refund_id);
    return {
      entry,
      label: entryLabel(entry),
      amount: kind === "refunded" && amount !== null ? -amount : amount,
      detail: [loan_id === null ? null : `Loan ${loan_id}`, method, reference, reason]
        .filter((text) => text !== null && text !== "")
        .join(", "),
      by: actorLabel({ by }),
      reversible: isReversible ? refund_id : undefined,
    };
  });
}
