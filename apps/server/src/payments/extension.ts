import type { Known } from "./decision.ts";
import type { BoundLoan } from "./loan-repository.ts";

/**
 * Finds the loan of the same order that this one extends. An extension brings no money of its own:
 * the provider creates a new loan of the same amount, paid out from its start, and reports the
 * earlier one as extended. A loan that was ever under way is not an extension.
 *
 * @returns `isCertain: false` if the earlier loan may have been extended since the provider last
 *   reported it
 */
export function extensionOf({
  loan,
  bound,
  others,
  asked,
}: Known): { readonly loanId: string; readonly isCertain: boolean } | undefined {
  if (bound !== undefined && bound.state !== "unknown") return undefined;
  const earlier = others.filter(
    ({ id, state, cents }) =>
      state === "paid-out" && cents === loan.cents && !others.some((other) => other.extends === id),
  );
  const extended = earlier.find(({ wasExtended }) => wasExtended);
  if (extended !== undefined) return { loanId: extended.id, isCertain: true };
  // It may have been paid out and extended since it was last seen.
  const mayBePaid = others.filter(
    ({ state, cents }) => (state === "active" || state === "unknown") && cents === loan.cents,
  );
  const unasked =
    asked === "all" ? undefined : [...earlier, ...mayBePaid].find(({ id }) => !asked.has(id));
  return unasked === undefined ? undefined : { loanId: unasked.id, isCertain: false };
}

/**
 * Finds the stored loan that extends this one, if the extension was settled first: a list can have
 * its entries in any order.
 */
export function extensionBoundEarlier({ loan, bound, others }: Known): string | undefined {
  if (bound !== undefined || !loan.wasExtended) return undefined;
  const [one, ...more] = possibleExtensions(others, loan);
  return more.length === 0 ? one?.id : undefined;
}

/** The paid loans of the same amount that may extend a loan; none if one does already. */
function possibleExtensions(
  others: readonly BoundLoan[],
  { id, cents: lent }: Known["loan"],
): BoundLoan[] {
  if (others.some((other) => other.extends === id)) return [];
  return others.filter(
    ({ state, cents, extends: extended, wasExtended }) =>
      state === "paid-out" && extended === undefined && cents === lent && !wasExtended,
  );
}
