import { isOrderStatus } from "@keepsats/domain";
import { bindingOf, type Decision, type Known, moveFor } from "./decision.ts";
import { describeLent, describeName, NO_ORDER, type OrderIssue } from "./issue.ts";

/**
 * Decides about a loan whose money a payment issue has recorded already, for example as underpaid.
 * That money is counted for one order, and staff may have refunded it, so the loan pays nothing by
 * itself any more: only a person accepts it.
 *
 * @returns `undefined` if the loan is decided about like any other: nobody has resolved its
 *   payment issue, and it is bound to the order, or says what it said before, or its money was counted
 *   for no order of the shop
 */
export function decideOnClaim(known: Known): Decision | undefined {
  const { bound, claim, orderId, loan, order } = known;
  if (claim === undefined || bound?.state === "paid-out") return undefined;
  if (!claim.isResolved && (bound !== undefined || !claim.isOfShop)) return undefined;
  // An older answer of the provider, which another call has overtaken.
  if (loan.state === "active")
    return { kind: bound === undefined ? "refused" : "bound", issues: [] };
  const issues = changedSincePaidOut(known);
  const isRepeated = issues.length === 0 && !claim.isResolved && claim.orderId === orderId;
  if (isRepeated) return undefined;
  if (bound === undefined) return { kind: "refused", issues };
  const status = order?.status;
  if (bound.state === "ended" || status === undefined || !isOrderStatus(status))
    return { kind: "bound", issues };
  // Its money is seen to, and pays nothing: the shopper may pay by another loan, or cancel.
  const move = moveFor("ended", status, known.others);
  return { kind: "bound", store: bindingOf(known, "ended"), move, issues };
}

/**
 * The payment issue of a loan whose money was recorded, if the provider tells something else about
 * it now.
 */
export function changedSincePaidOut({ loan, claim }: Known): OrderIssue[] {
  if (claim === undefined || loan.state === "active") return [];
  const changes: string[] = [];
  if (loan.state !== "paid-out") changes.push(`its status is ${loan.providerStatus}`);
  if (loan.unfit !== undefined || loan.cents !== claim.cents) changes.push(describeLent(loan));
  // The loan of an order that was paid out for another one or for none: its issue says so already.
  const wasMisnamed = claim.kind === "unknown-order" && claim.isOfShop;
  const isNamedOtherwise = !wasMisnamed && (loan.orderId ?? NO_ORDER) !== claim.orderId;
  if (isNamedOtherwise) changes.push(`it names ${describeName(loan)}`);
  if (changes.length === 0) return [];
  const detail = `It was paid out, and the provider changed it since: ${changes.join("; ")}.`;
  return [{ kind: "changed-after-payout", detail, orderId: claim.orderId }];
}
