import { bindingOf, type Decision, type KnownOrder } from "./decision.ts";
import { extensionBoundEarlier, extensionOf } from "./extension.ts";
import {
  bindingIssue,
  describeLent,
  describeName,
  lateMoney,
  moneyOf,
  type OrderIssue,
  overpaid,
  paidOut,
  unknownAfterPayout,
} from "./issue.ts";
import type { BoundLoan } from "./loan-repository.ts";

/**
 * Decides about a loan that is reported as paid for the first time: its order and its amount are
 * compared once more.
 */
export function decideOnPayout(known: KnownOrder): Decision {
  const { loan, bound, orderId } = known;
  const before = bound?.state ?? "unknown";
  const renamed = renamedIssues(known);
  if (renamed.length > 0) {
    return { kind: "bound", store: bindingOf(known, before), issues: renamed };
  }
  const shortfall = bindingIssue(loan, leastToCover(known));
  if (shortfall !== undefined) {
    const issues = [{ ...paidOut(shortfall, loan), orderId }];
    return { kind: "bound", store: bindingOf(known, before), issues };
  }
  const extendedBy = extensionBoundEarlier(known);
  if (extendedBy !== undefined) {
    return { kind: "bound", store: bindingOf(known, "paid-out"), extendedBy, issues: [] };
  }
  const extension = extensionOf(known);
  if (extension?.isCertain === false) return { kind: "ask-first", loanId: extension.loanId };
  if (extension !== undefined) {
    const store = bindingOf(known, "paid-out", { extends: extension.loanId });
    return { kind: "bound", store, issues: [] };
  }
  return decideOnFirstPayout(known);
}

/**
 * The amount that a loan must lend to be bound to its order, in cents: the total, or the amount of
 * an accepted loan that it may extend.
 */
export function leastToCover({ loan, order: { total }, others }: KnownOrder): number {
  const mayExtend = others.some(({ state, cents }) => state === "paid-out" && cents === loan.cents);
  return mayExtend ? Math.min(total, loan.cents ?? total) : total;
}

/** Decides about a loan that is not an extension: it pays the order, or comes too late. */
function decideOnFirstPayout(known: KnownOrder): Decision {
  const { loan, orderId, order } = known;
  const late = lateMoney(order.status, loan);
  const store = bindingOf(known, "paid-out");
  if (late !== undefined) return { kind: "bound", store, issues: [{ ...late, orderId }] };
  const more = overpaid(loan.cents, order.total);
  return {
    kind: "bound",
    store,
    move: { kind: "to", to: "PaymentProcessed" },
    issues: more === undefined ? [] : [{ ...more, orderId }],
  };
}

/**
 * The payment issues of a bound loan that names another order when it is paid out: one for each
 * order, because either may be meant.
 */
function renamedIssues({ loan, orderId }: KnownOrder): OrderIssue[] {
  if (loan.orderId === orderId) return [];
  const kind = "unknown-order";
  const detail = `It belongs to order ${orderId}, and named ${describeName(loan)} when it was paid out.`;
  const other =
    loan.orderId === undefined ? [] : [{ kind, detail, orderId: loan.orderId } as const];
  // The money is counted once, for the order that the loan belongs to.
  return [{ kind, detail, orderId, cents: moneyOf(loan) }, ...other];
}

/**
 * Decides about a loan that has paid already: it stays paid, and what the provider has changed
 * since is recorded as a payment issue.
 */
export function decideOnPaid(known: KnownOrder, bound: BoundLoan): Decision {
  const { loan, orderId } = known;
  const issues: OrderIssue[] = [];
  const isNewStatus = loan.providerStatus !== bound.providerStatus;
  const changes = changesSincePaid(known, bound);
  if (changes.length > 0) {
    const detail = `It was paid out, and the provider changed it since: ${changes.join("; ")}.`;
    issues.push({
      kind: "changed-after-payout",
      detail,
      orderId,
      isNew: isNewStatus && loan.state === "ended",
    });
  }
  if (loan.state === "unknown" && isNewStatus) {
    issues.push({ ...unknownAfterPayout(loan), orderId, isNew: true });
  }
  return { kind: "bound", store: bindingOf(known, "paid-out", { cents: bound.cents }), issues };
}

function changesSincePaid({ loan, orderId, order }: KnownOrder, bound: BoundLoan): string[] {
  const changes: string[] = [];
  if (loan.state === "ended") changes.push(`its status is ${loan.providerStatus}`);
  // An extension of an accepted loan may lend less than the total.
  const isWorthLess =
    bound.cents !== undefined &&
    bindingIssue(loan, Math.min(order.total, bound.cents)) !== undefined;
  if (isWorthLess) changes.push(describeLent(loan));
  if (loan.orderId !== orderId) changes.push(`it names ${describeName(loan)}`);
  return changes;
}
