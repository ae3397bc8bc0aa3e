import { entryLabel, type MerchantEntry } from "@keepsats/protocol";

export type { MerchantEntry };

/** One line of a journal, as it is shown. */
export interface JournalLine {
  readonly entry: MerchantEntry;
  readonly label: string;
  /** Loan, method, reference and reason, as far as the entry has them. */
  readonly detail: string;
  /** Who made the entry. */
  readonly by: string;
  /** The refund that staff can reverse: one that was not reversed yet. */
  readonly reversible: string | undefined;
}

const actors: Readonly<Record<string, string>> = {
  provider: "the loan provider",
  shop: "the shop",
};

/** The lines of a journal, oldest first. */
export function journalLines(entries: readonly MerchantEntry[]): readonly JournalLine[] {
  const reversed = new Set(
    entries.filter(({ kind }) => kind === "refund-reversed").map(({ refund_id }) => refund_id),
  );
  return entries.map((entry) => {
    const { kind, refund_id, loan_id, method, reference, reason, by } = entry;
    const isReversible = kind === "refunded" && refund_id !== null && !reversed.has(refund_id);
    return {
      entry,
      label: entryLabel(entry),
      detail: [loan_id === null ? null : `Loan ${loan_id}`, method, reference, reason]
        .filter((text) => text !== null && text !== "")
        .join(", "),
      by: actors[by] ?? by,
      reversible: isReversible ? refund_id : undefined,
    };
  });
}
