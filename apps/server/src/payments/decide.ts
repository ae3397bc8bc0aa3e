import { isOrderStatus } from "@keepsats/domain";
import { changedSincePaidOut, decideOnClaim } from "./claim.ts";
import { bindingOf, type Decision, type Known, type KnownOrder, moveFor } from "./decision.ts";
import type { Loan, Standing } from "./loan.ts";
import type { BoundLoan } from "./loan-repository.ts";
import {
  bindingMismatch,
  describeName,
  type Mismatch,
  moneyOf,
  NO_ORDER,
  type OrderMismatch,
  paidOut,
  unclearStanding,
} from "./mismatch.ts";
import { decideOnPaid, decideOnPayout, leastToCover } from "./payout.ts";

/**
 * Decides what a loan means for its order. A pure function: every rule about payments starts here.
 */
export function decide(known: Known): Decision {
  const { loan, presentedFor, bound, orderId, order } = known;
  if (presentedFor !== undefined && orderId !== presentedFor) {
    return refused({ ...strayMismatch(loan, bound), orderId: presentedFor });
  }
  const onClaim = decideOnClaim(known);
  if (onClaim !== undefined) return onClaim;
  if (orderId === undefined || order === undefined) return decideOnStranger(loan);
  const { status } = order;
  if (!isOrderStatus(status)) return { kind: "undecided" };
  const ours: KnownOrder = { ...known, orderId, order: { ...order, status } };
  if (bound === undefined) {
    const mismatch = bindingMismatch(loan, leastToCover(ours));
    if (mismatch !== undefined) {
      return refused({
        ...(loan.standing === "paid" ? paidOut(mismatch, loan) : mismatch),
        orderId,
      });
    }
  }
  if (isOutdated(loan, bound)) return { kind: "bound", mismatches: [] };
  if (bound?.standing === "paid") return decideOnPaid(ours, bound);
  return loan.standing === "paid" ? decideOnPayout(ours) : decideOnProgress(ours, loan.standing);
}

function refused(...mismatches: OrderMismatch[]): Decision {
  return { kind: "refused", mismatches };
}

/**
 * The mismatch of a loan that was presented for an order and belongs to another one, or to none.
 */
function strayMismatch(loan: Loan, bound: BoundLoan | undefined): Mismatch {
  if (bound !== undefined)
    return { kind: "reused", detail: `It belongs to another order already, ${bound.orderId}.` };
  const name = loan.orderId === undefined ? describeName(loan) : `another order, ${loan.orderId}`;
  return { kind: "foreign", detail: `It names ${name}.` };
}

/**
 * Decides about a loan that names no order of the shop. If it was paid out, a mismatch is recorded
 * for the merchant.
 */
function decideOnStranger(loan: Loan): Decision {
  if (loan.standing !== "paid") return { kind: "ignored", mismatches: [] };
  const what =
    loan.orderId === undefined ? describeName(loan) : "an order that this shop does not have";
  return refused({
    kind: "foreign",
    detail: `It was paid out for ${what}.`,
    orderId: loan.orderId ?? NO_ORDER,
    cents: moneyOf(loan),
  });
}

/** Whether a newer state of the loan is stored already. The first "paid" is never outdated. */
function isOutdated({ updatedAt, standing }: Loan, bound: BoundLoan | undefined): boolean {
  if (bound === undefined || updatedAt === 0 || updatedAt >= bound.updatedAt) return false;
  return standing !== "paid" || bound.standing === "paid";
}

/**
 * Decides about a loan that has not been paid out. An unclear standing leaves the stored one
 * unchanged.
 */
function decideOnProgress(known: KnownOrder, present: Exclude<Standing, "paid">): Decision {
  const { loan, bound, orderId, order, others } = known;
  const standing = present === "unclear" ? (bound?.standing ?? "unclear") : present;
  return {
    kind: "bound",
    store: bindingOf(known, standing),
    move: bound?.standing === standing ? undefined : moveFor(standing, order.status, others),
    mismatches: [
      ...(present === "unclear" ? [{ ...unclearStanding(loan), orderId }] : []),
      ...changedSincePaidOut(known),
    ],
  };
}
