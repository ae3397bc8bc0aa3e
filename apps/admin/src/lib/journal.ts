import { type AdminEntry, entryLabel } from "@keepsats/protocol";

export type { AdminEntry };

/** A journal entry, prepared for the screen. */
export interface JournalLine {
  readonly entry: AdminEntry;
  readonly label: string;
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
    const { kind, refund_id, loan_id, method, reference, reason, by } = entry;
    const isReversible = kind === "refunded" && refund_id !== null && !reversed.has(refund_id);
    return {
      entry,
      label: entryLabel(entry),
      detail: [loan_id === null ? null : `Loan ${loan_id}`, method, reference, reason]
        .filter((text) => text !== null && text !== "")
        .join(", "),
      by: actorLabel({ by }),
      reversible: isReversible ? refund_id : undefined,
    };
  });
}

/** The author of a change. */
export interface Actor {
  readonly by: string;
  /** The name of the member of staff or of the API token, if `by` does not have it. */
  readonly by_name?: string | null;
}

const labels: Readonly<Record<string, string>> = {
  customer: "the customer",
  provider: "the loan provider",
  shop: "the shop",
  staff: "staff",
};

export function actorLabel({ by, by_name }: Actor): string {
  return by_name ?? labels[by] ?? by;
}
