import { groupCommit } from "../../../platform/database/batching.ts";
import type { UnitOfWork } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { OrderState, Orders, StatusChange } from "../../orders/index.ts";
import { findIssues, hasIssueWithOrder } from "../issues/issue-repository.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import {
  type AccountKey,
  type AccountRecords,
  type AppendEntries,
  accountIn,
  findEntries,
  idsOf,
  readOrdersAndLoans,
} from "../journal/journal-repository.ts";
import {
  type AccountEntry,
  type Consequences,
  consequencesOf,
  extensionEntries,
  type StoredLoan,
} from "../rules.ts";
import type { Loan } from "./loan-provider-api.ts";
import { findLoans, forgetSettled, rememberSettled, saveLoans } from "./loan-repository.ts";
import { recheckExtended } from "./presumed-extensions.ts";

/**
 * Decides by the rules what a report of a loan means, and stores it, with group commit.
 *
 * @param presentedFor the id of the order that a customer presented the loan for; `undefined` if
 *   the sweep found the loan, which is then stored as settled
 */
export type Settle = (loan: Loan, presentedFor?: string) => Promise<Pick<Consequences, "kind">>;

/** Small, because all locks are held until the commit. */
const MAX_LOANS_PER_COMMIT = 10;

const byProvider = { kind: "provider" } as const;

export function createSettle({
  database,
  now,
  changeStatuses,
  recordFailedAttempt,
  appendEntries,
  issues,
  onFutureTime,
}: Pick<Platform, "database" | "now"> &
  Pick<Orders, "changeStatuses" | "recordFailedAttempt"> & {
    readonly appendEntries: AppendEntries;
    readonly issues: IssueWriter;
    /** Called with each time of change that is in the future. */
    readonly onFutureTime: (loanId: string, time: number) => void;
  }): Settle {
  async function settleAll(
    unit: UnitOfWork,
    reports: readonly Report[],
  ): Promise<readonly Consequences[]> {
    const ids = await lockAll(unit, reports);
    const { orders, loans } = await readOrdersAndLoans(unit.db, ids);
    // Only a payout brings entries, and most reports are about orders without one.
    const isAnyPaidOut = [...loans.values()].some(({ paidOutAt }) => paidOutAt !== undefined);
    const entries = isAnyPaidOut ? await findEntries(unit.db, ids) : [];
    const state: SettlementState = { orders, loans, entries };
    const ordersBefore = new Map(orders);
    const at = now();
    const settled = reports.map((report) => applyReport(state, report, at));
    await store(unit, settled, state, ordersBefore);
    const changed = settled.filter(
      ({ presentedFor, consequences }) =>
        presentedFor !== undefined && consequences.storedLoan !== undefined,
    );
    await forgetSettled(
      unit,
      changed.map(({ loan }) => loan.id),
    );
    const swept = settled.filter(
      ({ presentedFor, consequences }) =>
        presentedFor === undefined && consequences.kind !== "undecided",
    );
    await rememberSettled(
      unit,
      swept.map(({ loan }) => loan),
    );
    return settled.map(({ consequences }) => consequences);
  }

  /**
   * Stores what the reports mean. The order of the writes matters:
   *
   * 1. The loans come first, then the entries: the extensions of an account follow from its payouts.
   * 2. The moves come before the payment issues, which depend on the status of the order, and are
   *    made with the versions that were read.
   * 3. The new payment issues come before the update of all issues, which can resolve them, and can
   *    move the order again.
   *
   * @param state after all reports
   */
  async function store(
    unit: UnitOfWork,
    settled: readonly SettledReport[],
    state: SettlementState,
    ordersBefore: ReadonlyMap<string, OrderState>,
  ): Promise<void> {
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
    await makeMoves(unit, settled, ordersBefore);
    for (const issue of all.flatMap(({ newIssues }) => newIssues)) {
      const { orderId, loanId, kind, oncePerLoan } = issue;
      if (orderId !== undefined && !state.orders.has(orderId)) continue;
      if (oncePerLoan === true && (await hasIssueWithOrder(unit, loanId, kind))) continue;
      await issues.open(unit, [issue]);
    }
    const withMoney = keys.filter((key) => accountIn(state, key).entries.length > 0);
    const stored = await findIssues(unit.db, idsOf(withMoney));
    for (const key of withMoney)
      await issues.updateIssues(unit, accountIn(state, key), stored, byProvider);
    for (const { loan, stored: before } of settled) {
      const after = state.loans.get(loan.id);
      if (after?.presumedExtensionAt === undefined) continue;
      if (after.presumedExtensionAt === before?.presumedExtensionAt) continue;
      const others = otherLoansOf(state, after.orderId, after.id);
      await recheckExtended(unit, after, others, database.now());
    }
  }

  /** Makes consecutive moves with one call. */
  async function makeMoves(
    unit: UnitOfWork,
    settled: readonly SettledReport[],
    ordersBefore: ReadonlyMap<string, OrderState>,
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

/**
 * What is stored about the reports of one transaction, in memory. Several reports can be about one
 * order, so each report changes this state for the next one.
 */
export interface SettlementState extends AccountRecords {
  readonly orders: Map<string, OrderState>;
  readonly loans: Map<string, StoredLoan>;
  readonly entries: AccountEntry[];
}

interface Report {
  readonly loan: Loan;
  /** The order that a customer presented it for; `undefined` if the sweep found it. */
  readonly presentedFor: string | undefined;
}

interface SettledReport extends Report {
  /** The loan as it was stored before the report. */
  readonly stored: StoredLoan | undefined;
  readonly order: OrderState | undefined;
  readonly consequences: Consequences;
}

export function applyReport(
  state: SettlementState,
  { loan, presentedFor }: Report,
  now: number,
): SettledReport {
  const stored = state.loans.get(loan.id);
  const orderId = stored?.orderId ?? loan.orderId;
  const order = orderId === undefined ? undefined : state.orders.get(orderId);
  const consequences = consequencesOf({
    loan,
    presentedFor,
    stored,
    orderId,
    order,
    now,
    others: order === undefined ? [] : otherLoansOf(state, order.id, loan.id),
    entries: state.entries.filter(({ loanId }) => loanId === loan.id),
  });
  const { storedLoan, move, entries } = consequences;
  if (storedLoan !== undefined) state.loans.set(storedLoan.id, storedLoan);
  state.entries.push(...entries);
  if (order !== undefined && move?.kind === "status")
    state.orders.set(order.id, { ...order, status: move.to });
  return { loan, presentedFor, stored, order, consequences };
}

function otherLoansOf(
  { loans }: SettlementState,
  orderId: string | undefined,
  loanId: string,
): StoredLoan[] {
  return [...loans.values()].filter((loan) => loan.orderId === orderId && loan.id !== loanId);
}

/** The accounts that reports are about, each once. */
function accountKeysIn(settled: readonly SettledReport[]): AccountKey[] {
  const decided = settled.filter(({ consequences }) => consequences.kind !== "undecided");
  const orderIds = new Set(decided.flatMap(({ order }) => order?.id ?? []));
  const loanIds = new Set(decided.map(({ loan }) => loan.id));
  return [
    ...[...orderIds].map((orderId) => ({ orderId })),
    ...[...loanIds].map((loanId) => ({ loanId })),
  ];
}
