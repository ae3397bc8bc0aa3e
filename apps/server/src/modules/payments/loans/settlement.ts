import { groupCommit } from "../../../platform/database/batching.ts";
import type { Database, UnitOfWork } from "../../../platform/database/database.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import type {
  ChangeStatuses,
  OrderState,
  RecordFailedAttempt,
  StatusChange,
} from "../../orders/index.ts";
import { findIssues, hasIssueWithOrder } from "../issues/issue-repository.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import { type AppendEntries, idsOf } from "../journal/journal-repository.ts";
import { type Consequences, equalPayouts, extensionEntries, type NewIssue } from "../rules.ts";
import type { Loan } from "./loan-provider-api.ts";
import { recheckAt } from "./loan-queue.ts";
import { findLoans, forgetSettled, rememberSettled, saveLoans } from "./loan-repository.ts";
import {
  accountIn,
  accountKeysIn,
  applyReport,
  otherLoansOf,
  type Report,
  readSettlementState,
  type Settled,
  type SettlementState,
} from "./settlement-state.ts";

export type Settlement = Pick<Consequences, "kind">;

/**
 * Decides by the rules what a report of a loan means, and stores it, with group commit.
 *
 * @param presentedFor the id of the order that a customer presented the loan for; `undefined` if
 *   the sweep found the loan, which is then stored as settled
 */
export type Settle = (loan: Loan, presentedFor?: string) => Promise<Settlement>;

interface Dependencies {
  readonly database: Database;
  readonly changeStatuses: ChangeStatuses;
  readonly recordFailedAttempt: RecordFailedAttempt;
  readonly appendEntries: AppendEntries;
  readonly issues: IssueWriter;
  readonly now: Clock;
  /** Called once for each loan whose time of change is in the future. */
  readonly onFutureTime: (loanId: string, time: number) => void;
}

/** Small, because all locks are held until the commit. */
const MAX_LOANS_PER_COMMIT = 10;

/**
 * After how many milliseconds the provider is asked about the loan that a new payout seems to
 * extend: it marks that loan some seconds after it has stored the extension.
 */
const RECHECK_AFTER = 5_000;

const byProvider = { kind: "provider" } as const;

export function createSettle(dependencies: Dependencies): Settle {
  const { database, now } = dependencies;
  const onFutureTime = firstOfEachLoan(dependencies.onFutureTime);

  async function settleAll(
    unit: UnitOfWork,
    reports: readonly Report[],
  ): Promise<readonly Consequences[]> {
    const state = await readSettlementState(unit.db, await lockAll(unit, reports));
    const ordersBefore = new Map(state.orders);
    const at = now();
    const settled = reports.map((report) => applyReport(state, report, at));
    await store(unit, settled, { ...dependencies, state, ordersBefore });
    const isSwept = ({ presentedFor }: Report) => presentedFor === undefined;
    await forgetSettled(
      unit,
      settled
        .filter((report) => !isSwept(report) && report.consequences.storedLoan !== undefined)
        .map(({ loan }) => loan.id),
    );
    await rememberSettled(
      unit,
      settled
        .filter((report) => isSwept(report) && report.consequences.kind !== "undecided")
        .map(({ loan }) => loan),
    );
    return settled.map(({ consequences }) => consequences);
  }
  const settleOne = groupCommit(database, settleAll, { maxJobs: MAX_LOANS_PER_COMMIT });

  return async (loan, presentedFor) => {
    const { kind, futureTime } = await settleOne({ loan, presentedFor });
    if (futureTime !== undefined) onFutureTime(loan.id, futureTime);
    return { kind };
  };
}

/**
 * Locks the loans, the orders that they name or were presented for, and the orders that they belong
 * to, all at once. A loan that belongs to another order by then stays undecided, because that order
 * is not read.
 */
async function lockAll(unit: UnitOfWork, reports: readonly Report[]) {
  const loanIds = [...new Set(reports.map(({ loan }) => loan.id))];
  const named = reports.flatMap(({ loan, presentedFor }) => [loan.orderId, presentedFor]);
  const bound = (await findLoans(unit.db, { loanIds })).map(({ orderId }) => orderId);
  const orderIds = [...new Set([...named, ...bound])].filter((id) => id !== undefined);
  await unit.lock(...new Set([...loanIds, ...orderIds]));
  return { loanIds, orderIds };
}

interface StoreContext extends Dependencies {
  /** The state after all reports. */
  readonly state: SettlementState;
  readonly ordersBefore: ReadonlyMap<string, OrderState>;
}

/**
 * Stores what the reports mean. The order of the writes matters:
 *
 * 1. The loans come first, then the entries: the extensions of an account follow from its payouts.
 * 2. The moves come before the payment issues, which depend on the status of the order, and are
 *    made with the versions that were read.
 * 3. The new payment issues come before the update of all issues, which can resolve them, and can
 *    move the order again.
 */
async function store(
  unit: UnitOfWork,
  settled: readonly Settled[],
  context: StoreContext,
): Promise<void> {
  const { appendEntries, issues, state } = context;
  const all = settled.map(({ consequences }) => consequences);
  const changedIds = new Set(all.flatMap(({ storedLoan }) => storedLoan?.id ?? []));
  await saveLoans(
    unit,
    [...changedIds].flatMap((id) => state.loans.get(id) ?? []),
  );
  const keys = accountKeysIn(settled);
  const extensions = keys.flatMap((key) => extensionEntries(accountIn(state, key)));
  state.entries.push(...extensions);
  const entries = [...all.flatMap((consequences) => consequences.entries), ...extensions];
  const payoutReports = all.flatMap(({ payoutReport }) => payoutReport ?? []);
  await appendEntries(unit, entries, byProvider, payoutReports);
  await makeMoves(unit, settled, context);
  for (const newIssue of all.flatMap(({ newIssues }) => newIssues))
    if (newIssue.orderId === undefined || state.orders.has(newIssue.orderId))
      await openNewIssue(unit, newIssue, issues);
  const withMoney = keys.filter((key) => accountIn(state, key).entries.length > 0);
  const stored = await findIssues(unit.db, idsOf(withMoney));
  for (const key of withMoney)
    await issues.updateIssues(unit, accountIn(state, key), stored, byProvider);
  for (const report of settled) await recheckExtended(unit, report, context);
}

/** Makes consecutive moves with one call. */
async function makeMoves(
  unit: UnitOfWork,
  settled: readonly Settled[],
  { changeStatuses, recordFailedAttempt, ordersBefore }: StoreContext,
): Promise<void> {
  let locked = ordersBefore;
  let waiting: StatusChange[] = [];
  async function change(): Promise<void> {
    if (waiting.length === 0) return;
    const outcomes = await changeStatuses(unit, waiting, locked);
    if (outcomes.some(({ kind }) => kind !== "changed"))
      throw new Error("a rule has moved an order that cannot move");
    waiting = [];
  }
  for (const { loan, order, consequences } of settled) {
    const { move } = consequences;
    if (order === undefined || move === undefined) continue;
    const reason = `loan ${loan.id}: ${loan.providerStatus}`;
    switch (move.kind) {
      case "status": {
        const { to, attemptFailed = false } = move;
        waiting.push({ orderId: order.id, to, by: byProvider, reason, attemptFailed });
        break;
      }
      case "record-failed-attempt":
        await change();
        await recordFailedAttempt(unit, order.id, reason);
        // The orders have other versions now.
        locked = new Map();
    }
  }
  await change();
}

async function openNewIssue(
  unit: UnitOfWork,
  { oncePerLoan, ...issue }: NewIssue,
  issues: IssueWriter,
): Promise<void> {
  if (oncePerLoan && (await hasIssueWithOrder(unit, issue.loanId, issue.kind))) return;
  await issues.open(unit, [issue]);
}

/** Schedules an early check of each loan that a new payout seems to extend. */
async function recheckExtended(
  unit: UnitOfWork,
  { loan: { id }, stored, consequences: { storedLoan: presumed } }: Settled,
  { state, database }: StoreContext,
): Promise<void> {
  if (presumed?.presumedExtensionAt === undefined) return;
  if (presumed.presumedExtensionAt === stored?.presumedExtensionAt) return;
  const extension = state.loans.get(id) ?? presumed;
  const { orderId } = extension;
  if (orderId === undefined) return;
  for (const { id: loanId, refusal } of equalPayouts(extension, otherLoansOf(state, orderId, id)))
    if (refusal === undefined)
      await recheckAt(unit, { orderId, loanId }, database.now() + RECHECK_AFTER);
}

/** More are not needed: the provider's clock is wrong for all loans or for none. */
const MAX_REMEMBERED_LOANS = 1_000;

function firstOfEachLoan(call: (loanId: string, time: number) => void): typeof call {
  const reported = new Set<string>();
  return (loanId, time) => {
    if (reported.has(loanId) || reported.size >= MAX_REMEMBERED_LOANS) return;
    reported.add(loanId);
    call(loanId, time);
  };
}
