import { isOrderStatus } from "@keepsats/domain";
import { bindingOf, type Decision, type Known, moveFor } from "./decision.ts";
import { describeLent, describeName, NO_ORDER, type OrderMismatch } from "./mismatch.ts";

/**
 * Decides about a loan whose money a mismatch has recorded already, for example as underpaid. That
 * money is counted for one order, and staff may have given it back, so the loan pays nothing by
 * itself any more: only a person accepts it.
 *
 * @returns `undefined` if the loan is decided about like any other: nobody has resolved its
 *   mismatch, and it is bound to the order, or says what it said before, or its money was counted
 *   for no order of the shop
 */
export function decideOnClaim(known: Known): Decision | undefined {
  const { bound, claim, orderId, loan, order } = known;
  if (claim === undefined || bound?.standing === "paid") return undefined;
  if (!claim.isResolved && (bound !== undefined || !claim.isOfShop)) return undefined;
  // An older answer of the provider, which another call has overtaken.
  if (loan.standing === "under-way")
    return { kind: bound === undefined ? "refused" : "bound", mismatches: [] };
  const mismatches = changedSincePaidOut(known);
  const isRepeated = mismatches.length === 0 && !claim.isResolved && claim.orderId === orderId;
  if (isRepeated) return undefined;
  if (bound === undefined) return { kind: "refused", mismatches };
  const status = order?.status;
  if (bound.standing === "over" || status === undefined || !isOrderStatus(status))
    return { kind: "bound", mismatches };
  // Its money is seen to, and pays nothing: the shopper may pay by another loan, or cancel.
  const move = moveFor("over", status, known.others);
  return { kind: "bound", store: bindingOf(known, "over"), move, mismatches };
}

/**
 * The mismatch of a loan whose money was recorded, if the provider tells something else about it
 * now.
 */
export function changedSincePaidOut({ loan, claim }: Known): OrderMismatch[] {
  if (claim === undefined || loan.standing === "under-way") return [];
  const changes: string[] = [];
  if (loan.standing !== "paid") changes.push(`its status is ${loan.word}`);
  if (loan.unfit !== undefined || loan.cents !== claim.cents) changes.push(describeLent(loan));
  const isNamedOtherwise = claim.kind !== "renamed" && (loan.orderId ?? NO_ORDER) !== claim.orderId;
  if (isNamedOtherwise) changes.push(`it names ${describeName(loan)}`);
  if (changes.length === 0) return [];
  const detail = `It was paid out, and the provider changed it since: ${changes.join("; ")}.`;
  return [{ kind: "changed-after-paid", detail, orderId: claim.orderId }];
}
