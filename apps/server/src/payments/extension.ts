import type { Known } from "./decision.ts";
import type { BoundLoan } from "./loan-repository.ts";

/**
 * The loan of the same order that this one goes on with, where it brings no money of its own. The provider makes a new
 * loan, paid out from its start, of the same amount, and tells the earlier one as extended. A loan that was seen under
 * way is no extension.
 *
 * @returns `isCertain: false` where the earlier one may have been extended since the provider told of it
 */
export function extensionOf({
  loan,
  bound,
  others,
  asked,
}: Known): { readonly loanId: string; readonly isCertain: boolean } | undefined {
  if (bound !== undefined && bound.standing !== "unclear") return undefined;
  const earlier = others.filter(
    ({ id, standing, cents }) =>
      standing === "paid" &&
      (cents ?? loan.cents) === loan.cents &&
      !others.some((other) => other.extends === id),
  );
  const extended = earlier.find(({ wasExtended }) => wasExtended);
  if (extended !== undefined) return { loanId: extended.id, isCertain: true };
  const unasked = asked === "all" ? undefined : earlier.find(({ id }) => !asked.has(id));
  return unasked === undefined ? undefined : { loanId: unasked.id, isCertain: false };
}

/** The loan that goes on with one that is extended when it is first told: a list has its entries in any order. */
export function extensionBoundEarlier({ loan, bound, others }: Known): string | undefined {
  if (bound !== undefined || !loan.wasExtended) return undefined;
  const [one, ...more] = possibleExtensions(others, loan);
  return more.length === 0 ? one?.id : undefined;
}

/**
 * The loan that goes on with one that was bound by a version that knew no extensions, and therefore no `cents`: the next
 * that was bound.
 */
export function extensionBoundLater({ loan, others }: Known, bound: BoundLoan): string | undefined {
  if (bound.cents !== undefined || !loan.wasExtended) return undefined;
  return possibleExtensions(others, loan).find(({ boundAt }) => boundAt >= bound.boundAt)?.id;
}

/** The paid loans of the same amount that may go on with a loan; none where one does already. */
function possibleExtensions(others: readonly BoundLoan[], { id, cents: lent }: Known["loan"]): BoundLoan[] {
  if (others.some((other) => other.extends === id)) return [];
  return others.filter(
    ({ standing, cents, extends: extended, wasExtended }) =>
      standing === "paid" && extended === undefined && (cents ?? lent) === lent && !wasExtended,
  );
}
