import type { MerchantMismatch, MismatchKind } from "@keepsats/protocol";

/**
 * One loan on the screen: the mismatch with its money, and those that say which other orders it may
 * be meant for.
 */
export interface Card {
  readonly mismatch: MerchantMismatch;
  readonly companions: readonly MerchantMismatch[];
}

/** The kinds that a loan has at several orders; only one of them has its money. */
const paired: readonly MismatchKind[] = ["foreign", "reused", "renamed"];

/**
 * Makes one card of the open mismatches of a loan of which one has the money. The server resolves
 * them together.
 */
export function cardsOf(mismatches: readonly MerchantMismatch[]): readonly Card[] {
  const byLoan = Map.groupBy(mismatches, ({ contract_id }) => contract_id);
  const isCompanion = ({ contract_id, kind, amount, resolution }: MerchantMismatch) =>
    resolution === null &&
    amount === null &&
    paired.includes(kind) &&
    byLoan.get(contract_id)?.some((other) => other.amount !== null && other.resolution === null) ===
      true;
  return mismatches
    .filter((one) => !isCompanion(one))
    .map((mismatch) => ({
      mismatch,
      companions:
        mismatch.amount === null || mismatch.resolution !== null
          ? []
          : (byLoan.get(mismatch.contract_id) ?? []).filter(isCompanion),
    }));
}
