import { balancesByCurrency, balancesOf, type Cents, FIRST_STATUS } from "@keepsats/domain";
import type { Queries } from "../../../platform/database/database.ts";
import type { YieldToEventLoop } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { findStatusesAt } from "../../orders/index.ts";
import { readLoanAccounts, readOrderAccounts, type StoredAccount } from "./journal-repository.ts";

/** The most payment issues that are read at a time. */
const ISSUES_PER_READ = 200;

interface Issue {
  readonly id: string;
  readonly openedAt: number;
  readonly resolvedAt: number | null;
  readonly orderId: string | null;
  readonly loanId: string;
  /** The time of the loan's payout; `null` if it was not paid out. */
  readonly paidAt: number | null;
}

/**
 * The refund due at a time, by currency, without currencies in which it is 0. An account with money
 * to refund has an open payment issue about a loan that was paid out, so only the accounts are read
 * whose issues were open then, or have opened again since.
 *
 * @param time in epoch milliseconds; entries at this time do not count
 */
export async function readRefundDueAt(
  db: Queries,
  time: number,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Map<string, Cents>> {
  const due = new Map<string, Cents>();
  const summed = new Set<string>();
  let last: Issue | undefined;
  do {
    const issues = await findIssuesAfter(db, last);
    last = issues.length < ISSUES_PER_READ ? undefined : issues.at(-1);
    const wereOpen = issues.filter(
      ({ paidAt, resolvedAt }) =>
        paidAt !== null && paidAt < time && (resolvedAt === null || resolvedAt >= time),
    );
    const newIds = (ids: Iterable<string>) => [...new Set(ids)].filter((id) => !summed.has(id));
    const orderIds = newIds(wereOpen.flatMap(({ orderId }) => orderId ?? []));
    const loanIds = newIds(
      wereOpen.flatMap(({ orderId, loanId }) => (orderId === null ? loanId : [])),
    );
    for (const id of [...orderIds, ...loanIds]) summed.add(id);
    const statuses = await findStatusesAt(db, orderIds, time);
    const accounts = [
      ...(await readOrderAccounts(db, orderIds)).values(),
      ...(await readLoanAccounts(db, loanIds)).values(),
    ];
    for (const account of accounts) addDue(due, account, time, statuses);
    await yieldToEventLoop();
  } while (last !== undefined);
  return due;
}

async function findIssuesAfter(db: Queries, last: Issue | undefined): Promise<Issue[]> {
  let query = db
    .selectFrom("payment_issues")
    .leftJoin("receipts", "receipts.loan_id", "payment_issues.loan_id")
    .select([
      "payment_issues.id",
      "payment_issues.opened_at as openedAt",
      "payment_issues.resolved_at as resolvedAt",
      "payment_issues.order_id as orderId",
      "payment_issues.loan_id as loanId",
      "receipts.paid_at as paidAt",
    ])
    .orderBy("payment_issues.opened_at")
    .orderBy("payment_issues.id")
    .limit(ISSUES_PER_READ);
  if (last !== undefined) {
    const { openedAt, id } = last;
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("payment_issues.opened_at", "payment_issues.id"), ">", tuple(openedAt, id)),
    );
  }
  return query.execute();
}

/** Adds the refund due of an account as it was at a time. */
function addDue(
  due: Map<string, Cents>,
  { order, entries }: StoredAccount,
  time: number,
  statuses: ReadonlyMap<string, string>,
): void {
  const balances = balancesOf({
    // An order that was not placed yet awaits payment.
    order: order && { total: order.total, status: statuses.get(order.id) ?? FIRST_STATUS },
    entries: entries.filter(({ at }) => at < time),
  });
  for (const { currency, refundDue } of balancesByCurrency(balances))
    if (refundDue > 0) due.set(currency, (due.get(currency) ?? 0) + refundDue);
}
