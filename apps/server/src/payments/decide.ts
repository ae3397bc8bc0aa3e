import { isOrderStatus } from "@keepsats/domain";
import type { LoanState } from "@keepsats/protocol";
import { changedSincePaidOut, decideOnClaim } from "./claim.ts";
import { bindingOf, type Decision, type Known, type KnownOrder, moveFor } from "./decision.ts";
import {
  bindingIssue,
  describeName,
  type Issue,
  moneyOf,
  NO_ORDER,
  type OrderIssue,
  paidOut,
  unknownState,
} from "./issue.ts";
import type { Loan } from "./loan.ts";
import type { BoundLoan } from "./loan-repository.ts";
import { decideOnPaid, decideOnPayout, leastToCover } from "./payout.ts";

/**
 * Decides what a loan means for its order. A pure function: every rule about payments starts here.
 */
export function decide(known: Known): Decision {
  const { loan, presentedFor, bound, orderId, order } = known;
  if (presentedFor !== undefined && orderId !== presentedFor) {
    return refused({ ...strayIssue(loan, bound), orderId: presentedFor });
  }
  const onClaim = decideOnClaim(known);
  if (onClaim !== undefined) return onClaim;
  if (orderId === undefined || order === undefined) return decideOnStranger(loan);
  const { status } = order;
  if (!isOrderStatus(status)) return { kind: "undecided" };
  const ours: KnownOrder = { ...known, orderId, order: { ...order, status } };
  if (bound === undefined) {
    const issue = bindingIssue(loan, leastToCover(ours));
    if (issue !== undefined) {
      return refused({
        ...(loan.state === "paid-out" ? paidOut(issue, loan) : issue),
        orderId,
      });
    }
  }
  if (isOutdated(loan, bound)) return { kind: "bound", issues: [] };
  if (bound?.state === "paid-out") return decideOnPaid(ours, bound);
  return loan.state === "paid-out" ? decideOnPayout(ours) : decideOnProgress(ours, loan.state);
}

function refused(...issues: OrderIssue[]): Decision {
  return { kind: "refused", issues };
}

/**
 * The payment issue of a loan that was presented for an order and belongs to another one, or to
 * none.
 */
function strayIssue(loan: Loan, bound: BoundLoan | undefined): Issue {
  if (bound !== undefined)
    return {
      kind: "unknown-order",
      detail: `It belongs to another order already, ${bound.orderId}.`,
    };
  const name = loan.orderId === undefined ? describeName(loan) : `another order, ${loan.orderId}`;
  return { kind: "unknown-order", detail: `It names ${name}.` };
}

/**
 * Decides about a loan that names no order of the shop. If it was paid out, a payment issue is
 * recorded for the merchant.
 */
function decideOnStranger(loan: Loan): Decision {
  if (loan.state !== "paid-out") return { kind: "ignored", issues: [] };
  const what =
    loan.orderId === undefined ? describeName(loan) : "an order that this shop does not have";
  return refused({
    kind: "unknown-order",
    detail: `It was paid out for ${what}.`,
    orderId: loan.orderId ?? NO_ORDER,
    cents: moneyOf(loan),
  });
}

/** Whether a newer state of the loan is stored already. The first "paid" is never outdated. */
function isOutdated({ updatedAt, state }: Loan, bound: BoundLoan | undefined): boolean {
  if (bound === undefined || updatedAt === 0 || updatedAt >= bound.updatedAt) return false;
  return state !== "paid-out" || bound.state === "paid-out";
}

/**
 * Decides about a loan that has not been paid out. An unknown state leaves the stored one
 * unchanged.
 */
function decideOnProgress(known: KnownOrder, present: Exclude<LoanState, "paid-out">): Decision {
  const { loan, bound, orderId, order, others } = known;
  const state = present === "unknown" ? (bound?.state ?? "unknown") : present;
  return {
    kind: "bound",
    store: bindingOf(known, state),
    move: bound?.state === state ? undefined : moveFor(state, order.status, others),
    issues: [
      ...(present === "unknown" ? [{ ...unknownState(loan), orderId }] : []),
      ...changedSincePaidOut(known),
    ],
  };
}
