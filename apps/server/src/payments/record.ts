import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import type { Announce, Announcement } from "../outbox/outbox.ts";
import { cancelledAfterPayout, type Issue, NO_ORDER, type OrderIssue } from "./issue.ts";
import { type IssueKey, idOfIssue } from "./issue-id.ts";
import { recordIssue } from "./issue-repository.ts";
import { refundDueByLoan } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";
import type { NotUnderstood } from "./loan.ts";

/** Called for each payment issue once it is stored. */
export type OnIssue = (loanId: string, orderId: string, issue: Issue) => void;

interface Dependencies {
  readonly now: Clock;
  readonly announce: Announce;
  readonly onIssue: OnIssue;
}

/**
 * Records a payment issue, and announces it if it is new or has changed. `withoutMail`: the
 * merchant gets no letter about it.
 */
export type RecordIssue = (
  unit: UnitOfWork,
  loanId: string,
  issue: OrderIssue,
  options?: { readonly withoutMail: boolean },
) => Promise<void>;

/** Creates {@link RecordIssue}. */
export function createRecordIssue({ now, announce, onIssue }: Dependencies): RecordIssue {
  return async (unit, loanId, { orderId, ...issue }, { withoutMail } = { withoutMail: false }) => {
    const stored = await recordIssue(unit, { loanId, orderId, seenAt: now() }, issue);
    if (stored === undefined) return;
    const { kind } = issue;
    const told = { ...stored, ...(withoutMail ? { without_mail: true } : {}) };
    await announce(unit, [
      issueAnnouncement("payment_issue.opened", { loanId, orderId, kind }, told),
    ]);
    unit.afterCommit(() => onIssue(loanId, orderId, issue));
  };
}

/** What others are told of a payment issue. Its subject is its order, or its loan if it has no order. */
export function issueAnnouncement(
  type: "payment_issue.opened" | "payment_issue.resolved",
  key: IssueKey,
  further: Announcement["data"],
): Announcement {
  const { loanId: loan_id, orderId, kind } = key;
  const data = { issue_id: idOfIssue(key), loan_id, kind, ...further };
  return { type, subject: orderId === NO_ORDER ? loan_id : orderId, data };
}

/**
 * Records the refunds due of cancelled orders, inside the transaction that cancels them.
 */
export type RecordRefundsDue = (unit: UnitOfWork, orderIds: readonly string[]) => Promise<void>;

/**
 * Records one payment issue for each loan with a refund due; an extension brought no money. Money
 * that staff have refunded or keep already, for example of a duplicate payment, is not due.
 */
export function createRecordRefundsDue(dependencies: Dependencies): RecordRefundsDue {
  const record = createRecordIssue(dependencies);
  return async (unit, orderIds) => {
    for (const orderId of orderIds) {
      const books = await findBooks(unit.db, orderId);
      if (books === undefined) continue;
      const dueBy = refundDueByLoan(books);
      for (const { id: loanId, state, cents, extends: extended } of books.loans) {
        if (state !== "paid-out" || extended !== undefined) continue;
        const due = dueBy.get(loanId) ?? 0;
        if (due > 0) await record(unit, loanId, { ...cancelledAfterPayout(due, cents), orderId });
      }
    }
  };
}

const LONGEST_ID = 100;

/**
 * Creates the function that records entries that the adapter does not understand, each once, for
 * the merchant.
 */
export function createRecordNotUnderstood({
  database,
  ...dependencies
}: Dependencies & { readonly database: Database }): (
  entries: readonly NotUnderstood[],
) => Promise<void> {
  const record = createRecordIssue(dependencies);
  return (entries) =>
    database.inTransaction(async (unit) => {
      for (const { id, shape } of entries) {
        const loanId = (id ?? `without an id (${shape})`).slice(0, LONGEST_ID);
        const detail = `The provider reports it in a form that is not understood: ${shape}.`;
        await record(unit, loanId, { kind: "unrecognized", detail, orderId: NO_ORDER });
      }
    });
}
