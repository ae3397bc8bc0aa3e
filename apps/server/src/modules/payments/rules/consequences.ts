import { isOrderStatus } from "@keepsats/domain";
import { afterPayout, firstPayout, isUndecidedWithoutOrder, transferToOrder } from "./payouts.ts";
import { beforePayout, outdated } from "./reports.ts";
import { strayDetail } from "./sentences.ts";
import { type Consequences, consequences, type ReportFacts } from "./types.ts";

/**
 * What a report of the provider means for an order and its journal:
 *
 * - A loan that was presented for an order that it does not belong to is refused, and nothing else.
 * - A report that is older than the stored one adds only what it proves forever.
 * - Before the payout, the loan is bound to the order that it names, and moves the order.
 * - The first payout is a payout report and an entry. It pays the order if it is enough and names
 *   it.
 * - After the payout, a change by the provider is an entry and a payment issue. The order keeps its
 *   status.
 * - Money without an order goes to the order that its loan names later.
 */
export function consequencesOf(facts: ReportFacts): Consequences {
  const { loan, presentedFor, stored, orderId, order, now } = facts;
  if (presentedFor !== undefined && orderId !== presentedFor) {
    const detail = strayDetail(loan, stored?.orderId);
    const values = { loanId: loan.id, orderId: presentedFor, detail };
    // Anyone can present one loan for many orders.
    return consequences("refused", {
      newIssues: [{ kind: "unknown-order", ...values, oncePerLoan: true }],
    });
  }
  const isOfNewerVersion = order !== undefined && !isOrderStatus(order.status);
  const isUnread = stored?.orderId !== undefined && order === undefined;
  if (isOfNewerVersion || isUnread) return consequences("undecided");
  if (loan.updatedAt <= now) return consequencesOfReport(facts);
  // A time in the future would make every later report look old, so it is ignored. Now is no
  // substitute: a newer report, settled after this one, can have an earlier time.
  return consequencesOfReport({ ...facts, loan: { ...loan, updatedAt: 0 } });
}

function consequencesOfReport(facts: ReportFacts): Consequences {
  const { loan, stored, order } = facts;
  const isPaidOut = loan.state === "paid-out";
  // The first payout is never too old to count.
  if (isPaidOut && stored?.paidOutAt === undefined) return firstPayout(facts);
  if (stored === undefined) return beforePayout(facts);
  const isOlder = loan.updatedAt !== 0 && loan.updatedAt < stored.updatedAt;
  if (isOlder) return outdated(facts, stored);
  if (stored.paidOutAt === undefined) return beforePayout(facts);
  const namesOrder = isPaidOut && stored.orderId === undefined && order !== undefined;
  return namesOrder && isUndecidedWithoutOrder(facts, stored)
    ? transferToOrder(facts, stored)
    : afterPayout(facts, stored);
}
