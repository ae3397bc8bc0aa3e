import { isDecision, journalKinds } from "@keepsats/domain";
import { type AdminEntry, actorLabel, entryLabel } from "@keepsats/protocol";

/** A kind that a newer server sends counts as one that changes the balance. */
export function isDecisionKind(kind: string): boolean {
  const known = journalKinds.find((one) => one === kind);
  return known !== undefined && isDecision(known);
}

export type JournalLine = ReturnType<typeof journalLines>[number];

/** Journal entries, prepared for the screen. */
export function journalLines(entries: readonly AdminEntry[]) {
  const reversed = new Set(
    entries.filter(({ kind }) => kind === "refund-reversed").map(({ refund_id }) => refund_id),
  );
  return entries.map((entry) => {
    const { kind, amount, refund_id, loan_id, method, reference, reason, by } = entry;
    const isReversible = kind === "refunded" && refund_id !== null && !reversed.has(refund_id);
    return {
      entry,
      label: entryLabel(entry),
      // With a minus sign for a refund.
      amount: kind === "refunded" && amount !== null ? -amount : amount,
      detail: [loan_id === null ? null : `Loan ${loan_id}`, method, reference, reason]
        .filter((text) => text !== null && text !== "")
        .join(", "),
      by: actorLabel({ by }),
      // The id of a refund that can be reversed: each refund once.
      reversible: isReversible ? refund_id : undefined,
    };
  });
}
