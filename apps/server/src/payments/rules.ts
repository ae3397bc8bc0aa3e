import { isOrderStatus } from "@keepsats/domain";
import { afterPayout } from "./rules-after-payout.ts";
import { beforePayout } from "./rules-before-payout.ts";
import { changed, consequences, kindOf, notice, provenForever } from "./rules-consequences.ts";
import type { Consequences, Known, NewIssue, StoredLoan } from "./rules-facts.ts";
import { findOrder, firstPayout, isUndecidedWithoutOrder } from "./rules-payouts.ts";
import { strayDetail } from "./rules-sentences.ts";

// Every rule about what a loan and a decision of staff mean for an order and its journal. The rules
// are pure functions: they know only what they are given, and they change nothing.
//
// | What happens | Rule |
// | --- | --- |
// | The provider reports a loan | `consequencesOf`, here |
// | A loan extends another one | `extensionsAmong`, `extensionEntries` |
// | Money needs a decision of staff | `moneyIssues`, `issueChanges` |
// | Staff resolve a payment issue, or undo that | `resolutionOf`, `reopeningOf` |
// | Staff refund money, or a refund does not arrive | `refundOf`, `refundReversalOf` |
// | An unpaid order is to be cancelled | `cancellationOf` |
//
// What an order has received, keeps and must refund are sums over its journal: `balancesOf` in
// packages/domain/src/journal.ts.
export * from "./rules-amounts.ts";
export * from "./rules-cancellation.ts";
export * from "./rules-decisions.ts";
export * from "./rules-extensions.ts";
export * from "./rules-facts.ts";
export * from "./rules-issues.ts";
export * from "./rules-open-money.ts";
export * from "./rules-refunds.ts";

/**
 * What a report of the provider means for an order and its journal:
 *
 * - A loan that was presented for an order that it does not belong to is refused, and nothing else.
 * - A report that is older than the stored one adds only what it proves forever.
 * - Before the payout, the loan is bound to the order that it names, and moves the order.
 * - The first payout is a receipt and an entry. It pays the order if it is enough and names it.
 * - After the payout, what the provider changes is an entry and a payment issue. The order keeps its
 *   status.
 * - Money without an order goes to the order that its loan names later.
 */
export function consequencesOf(known: Known): Consequences {
  const { loan, presentedFor, stored, orderId, order, now } = known;
  if (presentedFor !== undefined && orderId !== presentedFor)
    return consequences("refused", { notices: [strayIssue(known, presentedFor)] });
  const isOfNewerVersion = order !== undefined && !isOrderStatus(order.status);
  const isUnread = stored?.orderId !== undefined && order === undefined;
  if (isOfNewerVersion || isUnread) return consequences("undecided");
  const isFromFuture = loan.updatedAt > now;
  // A time in the future would make every later report an old one.
  const bounded = isFromFuture ? { ...known, loan: { ...loan, updatedAt: now } } : known;
  return {
    ...consequencesOfReport(bounded),
    ...(isFromFuture ? { futureTime: loan.updatedAt } : {}),
  };
}

function consequencesOfReport(known: Known): Consequences {
  const { loan, stored, order } = known;
  const wasPaidOut = stored?.paidOutAt !== undefined;
  // The first payout is never too old to count.
  const isFirstPayout = loan.state === "paid-out" && !wasPaidOut;
  if (stored !== undefined && isOlder(known, stored) && !isFirstPayout)
    return outdated(known, stored);
  if (stored?.paidOutAt === undefined)
    return loan.state === "paid-out" ? firstPayout(known) : beforePayout(known, loan.state);
  const findsOrder = stored.orderId === undefined && order !== undefined;
  if (findsOrder && loan.state === "paid-out" && isUndecidedWithoutOrder(known, stored))
    return findOrder(known, stored);
  return afterPayout(known, stored);
}

/** The payment issue of a loan that was presented for an order that it does not belong to. */
function strayIssue({ loan, stored }: Known, presentedFor: string): NewIssue {
  return notice("unknown-order", {
    loanId: loan.id,
    orderId: presentedFor,
    detail: strayDetail(loan, stored?.orderId),
    // Anybody can present one loan for many orders.
    oncePerLoan: true,
  });
}

function isOlder({ loan: { updatedAt } }: Known, stored: StoredLoan): boolean {
  return updatedAt !== 0 && updatedAt < stored.updatedAt;
}

/** An older report still proves that a loan was once active or extended. */
function outdated({ loan }: Known, stored: StoredLoan): Consequences {
  return consequences(kindOf(stored), {
    store: changed(stored, { ...stored, ...provenForever(loan, stored) }),
  });
}
