import { bindingOf, type Decision, type KnownOrder } from "./decision.ts";
import { extensionBoundEarlier, extensionOf } from "./extension.ts";
import type { BoundLoan } from "./loan-repository.ts";
import {
  bindingMismatch,
  describeLent,
  describeName,
  lateMoney,
  moneyOf,
  type OrderMismatch,
  overpaid,
  paidOut,
  unclearAfterPaid,
} from "./mismatch.ts";

/**
 * Decides about a loan that is reported as paid for the first time: its order and its amount are
 * compared once more.
 */
export function decideOnPayout(known: KnownOrder): Decision {
  const { loan, bound, orderId } = known;
  const before = bound?.standing ?? "unclear";
  const renamed = renamedMismatches(known);
  if (renamed.length > 0) {
    return { kind: "bound", store: bindingOf(known, before), mismatches: renamed };
  }
  const shortfall = bindingMismatch(loan, leastToCover(known));
  if (shortfall !== undefined) {
    const mismatches = [{ ...paidOut(shortfall, loan), orderId }];
    return { kind: "bound", store: bindingOf(known, before), mismatches };
  }
  const extendedBy = extensionBoundEarlier(known);
  if (extendedBy !== undefined) {
    return { kind: "bound", store: bindingOf(known, "paid"), extendedBy, mismatches: [] };
  }
  const extension = extensionOf(known);
  if (extension?.isCertain === false) return { kind: "ask-first", loanId: extension.loanId };
  if (extension !== undefined) {
    const store = bindingOf(known, "paid", { extends: extension.loanId });
    return { kind: "bound", store, mismatches: [] };
  }
  return decideOnFirstPayout(known);
}

/**
 * The amount that a loan must lend to be bound to its order, in cents: the total, or the amount of
 * an accepted loan that it may extend.
 */
export function leastToCover({ loan, order: { total }, others }: KnownOrder): number {
  const mayExtend = others.some(
    ({ standing, cents }) => standing === "paid" && cents === loan.cents,
  );
  return mayExtend ? Math.min(total, loan.cents ?? total) : total;
}

/** Decides about a loan that is not an extension: it pays the order, or comes too late. */
function decideOnFirstPayout(known: KnownOrder): Decision {
  const { loan, orderId, order } = known;
  const late = lateMoney(order.status, loan);
  const store = bindingOf(known, "paid");
  if (late !== undefined) return { kind: "bound", store, mismatches: [{ ...late, orderId }] };
  const more = overpaid(loan.cents, order.total);
  return {
    kind: "bound",
    store,
    move: { kind: "to", to: "PaymentProcessed" },
    mismatches: more === undefined ? [] : [{ ...more, orderId }],
  };
}

/**
 * The mismatches of a bound loan that names another order when it is paid out: one for each order,
 * because either may be meant.
 */
function renamedMismatches({ loan, orderId }: KnownOrder): OrderMismatch[] {
  if (loan.orderId === orderId) return [];
  const kind = "renamed";
  const detail = `It belongs to order ${orderId}, and named ${describeName(loan)} when it was paid out.`;
  const other =
    loan.orderId === undefined ? [] : [{ kind, detail, orderId: loan.orderId } as const];
  // The money is counted once, for the order that the loan belongs to.
  return [{ kind, detail, orderId, cents: moneyOf(loan) }, ...other];
}

/**
 * Decides about a loan that has paid already: it stays paid, and what the provider has changed
 * since is recorded as a mismatch.
 */
export function decideOnPaid(known: KnownOrder, bound: BoundLoan): Decision {
  const { loan, orderId } = known;
  const mismatches: OrderMismatch[] = [];
  const isNewWord = loan.word !== bound.word;
  const changes = changesSincePaid(known, bound);
  if (changes.length > 0) {
    const detail = `It was paid out, and the provider changed it since: ${changes.join("; ")}.`;
    mismatches.push({
      kind: "changed-after-paid",
      detail,
      orderId,
      isNew: isNewWord && loan.standing === "over",
    });
  }
  if (loan.standing === "unclear" && isNewWord) {
    mismatches.push({ ...unclearAfterPaid(loan), orderId, isNew: true });
  }
  return { kind: "bound", store: bindingOf(known, "paid", { cents: bound.cents }), mismatches };
}

function changesSincePaid({ loan, orderId, order }: KnownOrder, bound: BoundLoan): string[] {
  const changes: string[] = [];
  if (loan.standing === "over") changes.push(`its status is ${loan.word}`);
  // An extension of an accepted loan may lend less than the total.
  const isWorthLess =
    bound.cents !== undefined &&
    bindingMismatch(loan, Math.min(order.total, bound.cents)) !== undefined;
  if (isWorthLess) changes.push(describeLent(loan));
  if (loan.orderId !== orderId) changes.push(`it names ${describeName(loan)}`);
  return changes;
}
