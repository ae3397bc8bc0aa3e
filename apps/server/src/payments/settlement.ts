import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import type { ChangeStatuses, NoteAttemptOver, OrderState, StatusChange } from "../orders/index.ts";
import { type IssueRecords, withoutMoney } from "./issues/issue-records.ts";
import { hasIssueWithOrder } from "./issues/issue-repository.ts";
import type { ReconcileIssues } from "./issues/reconcile.ts";
import type { AppendEntries } from "./journal/journal-repository.ts";
import type { Loan } from "./loan.ts";
import { findLoans, saveLoans } from "./loan-repository.ts";
import { lookAgainAt } from "./loans/loan-queue.ts";
import type { Consequences, NewIssue } from "./rules.ts";
import { type LoanMove, type Report, SettledAccounts } from "./settled-accounts.ts";
import { forgetSettled, rememberSettled } from "./settled-loans.ts";

/** The result of a settlement; see `Consequences`. */
export type Settlement = Pick<Consequences, "kind">;

/**
 * Decides by the rules what a report of a loan means, and stores it, with group commit.
 *
 * @param presentedFor the id of the order that a customer presented the loan for; `undefined` if the
 *   sweep found the loan, which is then stored as settled
 */
export type Settle = (loan: Loan, presentedFor?: string) => Promise<Settlement>;

/** The functions of the orders feature that change orders. */
export interface OrderMoves {
  readonly changeStatuses: ChangeStatuses;
  readonly noteAttemptOver: NoteAttemptOver;
}

/** What stores money; a transaction of its own for each call of {@link Settle}. */
export interface MoneyRecords {
  readonly appendEntries: AppendEntries;
  readonly records: IssueRecords;
  readonly reconcileIssues: ReconcileIssues;
}

interface Dependencies extends OrderMoves, MoneyRecords {
  readonly database: Database;
  readonly now: Clock;
  /** The clock that all processes share, for the queue of loans. */
  readonly leaseNow: Clock;
  /** Called once for each loan whose time of change is in the future. */
  readonly onFutureTime: (loanId: string, time: number) => void;
}

/**
 * The most loans in one transaction. It is small because all locks are held until the commit.
 */
const MOST_AT_ONCE = 10;

/**
 * After how many milliseconds the provider is asked about the loan that a new payout seems to
 * extend: it marks that loan some seconds after it has stored the extension.
 */
const LOOK_AGAIN = 5_000;

const byProvider = { kind: "provider" } as const;

export function createSettle(dependencies: Dependencies): Settle {
  const { database, now, onFutureTime } = dependencies;
  const onFuture = oncePerLoan(onFutureTime);

  async function settleAll(
    unit: UnitOfWork,
    reports: readonly Report[],
  ): Promise<readonly Consequences[]> {
    const { loanIds, orderIds } = await lockAll(unit, reports);
    const accounts = await SettledAccounts.read(unit.db, { loanIds, orderIds, now: now() });
    const decided = reports.map((report) => accounts.settle(report));
    accounts.netExtensions();
    await store(unit, accounts, dependencies);
    const isSwept = ({ presentedFor }: Report) => presentedFor === undefined;
    await forgetSettled(
      unit,
      reports
        .filter((report, index) => !isSwept(report) && decided[index]?.store !== undefined)
        .map(({ loan }) => loan.id),
    );
    await rememberSettled(
      unit,
      reports
        .filter((report, index) => isSwept(report) && decided[index]?.kind !== "undecided")
        .map(({ loan }) => loan),
    );
    return decided;
  }
  const settleOne = commitInGroups(database, settleAll, { maxJobs: MOST_AT_ONCE });

  return async (loan, presentedFor) => {
    const { kind, futureTime } = await settleOne({ loan, presentedFor });
    if (futureTime !== undefined) onFuture(loan.id, futureTime);
    return { kind };
  };
}

/**
 * Locks the loans, the orders that they name or were presented for, and those that they belong to,
 * all at once. A loan whose order has changed by then stays undecided: that order is
 * not among those that are read.
 */
async function lockAll(unit: UnitOfWork, reports: readonly Report[]) {
  const loanIds = [...new Set(reports.map(({ loan }) => loan.id))];
  const stored = await findLoans(unit.db, loanIds);
  const orderIds = [
    ...new Set(
      reports
        .flatMap(({ loan, presentedFor }) => [
          loan.orderId,
          presentedFor,
          stored.get(loan.id)?.orderId,
        ])
        .filter((id) => id !== undefined),
    ),
  ];
  await unit.lock(...new Set([...loanIds, ...orderIds]));
  return { loanIds, orderIds };
}

/** Stores what has changed, and what follows from it for the payment issues. */
async function store(
  unit: UnitOfWork,
  accounts: SettledAccounts,
  dependencies: Dependencies,
): Promise<void> {
  const { appendEntries, records, reconcileIssues, leaseNow } = dependencies;
  const { loans, entries, receipts, moves, notices, presumed } = accounts.changes;
  await saveLoans(unit, loans);
  await appendEntries(unit, entries, byProvider, receipts);
  await makeMoves(unit, moves, { ...dependencies, locked: accounts.storedOrders });
  await openNotices(unit, notices, records);
  for (const account of await accounts.withMoney(unit.db))
    await reconcileIssues(unit, account, byProvider);
  for (const extension of presumed)
    for (const { id: loanId, orderId, refusal } of accounts.equalPayouts(extension))
      if (orderId !== undefined && refusal === undefined)
        await lookAgainAt(unit, { orderId, loanId }, leaseNow() + LOOK_AGAIN);
}

/**
 * Makes moves in their order, with one call for all that follow each other.
 *
 * @param options `locked`: the states of the orders before the moves
 */
async function makeMoves(
  unit: UnitOfWork,
  moves: readonly LoanMove[],
  options: OrderMoves & { readonly locked: ReadonlyMap<string, OrderState> },
): Promise<void> {
  const { changeStatuses, noteAttemptOver } = options;
  let { locked } = options;
  let waiting: StatusChange[] = [];
  async function change(): Promise<void> {
    if (waiting.length === 0) return;
    const outcomes = await changeStatuses(unit, waiting, locked);
    if (outcomes.some(({ kind }) => kind !== "changed"))
      throw new Error("a rule has moved an order that cannot move");
    waiting = [];
  }
  for (const { orderId, loan, move } of moves) {
    const reason = `loan ${loan.id}: ${loan.providerStatus}`;
    switch (move.kind) {
      case "to": {
        const { to, attemptOver = false } = move;
        waiting.push({ orderId, to, by: byProvider, reason, attemptOver });
        break;
      }
      case "note-attempt-over":
        await change();
        await noteAttemptOver(unit, orderId, reason);
        // They have other versions now.
        locked = new Map();
    }
  }
  await change();
}

async function openNotices(
  unit: UnitOfWork,
  notices: readonly NewIssue[],
  records: IssueRecords,
): Promise<void> {
  for (const { oncePerLoan: isOnce, isNew, withoutMail, ...issue } of notices) {
    if (isOnce && (await hasIssueWithOrder(unit, issue.loanId, issue.kind))) continue;
    await records.open(unit, [withoutMoney(issue, { reopen: isNew, withoutMail })]);
  }
}

/** How many loans are remembered; the provider's clock is wrong for all or for none. */
const MOST_REMEMBERED = 1_000;

/** Calls a function once for each loan. */
function oncePerLoan(call: (loanId: string, time: number) => void): typeof call {
  const known = new Set<string>();
  return (loanId, time) => {
    if (known.has(loanId) || known.size >= MOST_REMEMBERED) return;
    known.add(loanId);
    call(loanId, time);
  };
}
