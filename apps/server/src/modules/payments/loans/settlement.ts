import { groupCommit } from "../../../platform/database/batching.ts";
import type { UnitOfWork } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Orders } from "../../orders/index.ts";
import { hasIssueWithOrder } from "../issues/issue-repository.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import {
  type AccountKey,
  type AccountRecords,
  type AppendEntries,
  accountIn,
  findEntries,
  readOrdersAndLoans,
} from "../journal/journal-repository.ts";
import {
  type AccountEntry,
  type Consequences,
  consequencesOf,
  type Move,
  type NewIssue,
  type ReportFacts,
  type StoredLoan,
} from "../rules/index.ts";
import type { Loan } from "./loan-provider.ts";
import { findLoans, rememberSettled, saveLoan } from "./loan-repository.ts";

/**
 * Decides by the rules what a report of a loan means, and stores it, with group commit.
 *
 * @param presentedFor the id of the order that a customer presented the loan for; `undefined` if
 *   the sweep found the loan
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
}: Pick<Platform, "database" | "now"> &
  Pick<Orders, "changeStatuses" | "recordFailedAttempt"> & {
    readonly appendEntries: AppendEntries;
    readonly issues: IssueWriter;
  }): Settle {
  const settle = groupCommit(
    database,
    async (unit, reports: readonly Report[]) => {
      const boundTo = await lockAll(unit, reports);
      const kinds: Consequences["kind"][] = [];
      for (const report of reports)
        kinds.push(await settleOne(unit, report, boundTo.get(report.loan.id)));
      return kinds;
    },
    { maxJobs: MAX_LOANS_PER_COMMIT },
  );

  /**
   * Stores what a report means. The order of the writes matters:
   *
   * 1. The loan comes first, then the entries: the extensions of an account follow from its payouts.
   * 2. The move comes before the payment issues, which depend on the status of the order.
   * 3. The new payment issues come before the update of all issues, which can resolve them, and can
   *    move the order again.
   *
   * @param boundTo the order that the loan was bound to when the locks were taken
   */
  async function settleOne(
    unit: UnitOfWork,
    report: Report,
    boundTo: string | undefined,
  ): Promise<Consequences["kind"]> {
    const { loan, presentedFor } = report;
    const records = await readRecords(unit, report, boundTo);
    const facts = factsOf(records, report, now());
    const { kind, storedLoan, entries, payoutReport, move, newIssues } = consequencesOf(facts);
    if (storedLoan !== undefined) await saveLoan(unit, storedLoan);
    await appendEntries(unit, entries, byProvider, payoutReport && [payoutReport]);
    if (facts.order !== undefined && move !== undefined)
      await makeMove(unit, loan, facts.order.id, move);
    for (const issue of newIssues) await openIssue(unit, issue, records);
    if (kind === "undecided") return kind;
    for (const key of accountsWithMoney(facts, records, entries))
      await issues.update(unit, key, byProvider);
    // A loan that was presented for another order is settled by the sweep too.
    if (presentedFor === undefined || storedLoan !== undefined) await rememberSettled(unit, loan);
    return kind;
  }

  async function makeMove(
    unit: UnitOfWork,
    { id, providerStatus }: Loan,
    orderId: string,
    move: Move,
  ): Promise<void> {
    const reason = `loan ${id}: ${providerStatus}`;
    if (move.kind === "record-failed-attempt") return recordFailedAttempt(unit, orderId, reason);
    const { to, attemptFailed = false } = move;
    const change = { orderId, to, by: byProvider, reason, attemptFailed };
    const [outcome] = await changeStatuses(unit, [change]);
    if (outcome?.kind !== "changed") throw new Error("a rule has moved an order that cannot move");
  }

  async function openIssue(
    unit: UnitOfWork,
    issue: NewIssue,
    { orders }: AccountRecords,
  ): Promise<void> {
    const { orderId, loanId, kind, oncePerLoan } = issue;
    if (orderId !== undefined && !orders.has(orderId)) return;
    if (oncePerLoan === true && (await hasIssueWithOrder(unit, loanId, kind))) return;
    await issues.open(unit, [issue]);
  }

  return async (loan, presentedFor) => ({ kind: await settle({ loan, presentedFor }) });
}

/**
 * Locks the loans, the orders that they name or were presented for, and the orders that they belong
 * to, all at once.
 *
 * @returns the orders that loans belong to, by loan id
 */
async function lockAll(
  unit: UnitOfWork,
  reports: readonly Report[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const loanIds = [...new Set(reports.map(({ loan }) => loan.id))];
  const stored = await findLoans(unit.db, { loanIds });
  const boundTo = new Map(stored.map(({ id, orderId }) => [id, orderId]));
  const named = reports.flatMap(({ loan, presentedFor }) => [loan.orderId, presentedFor]);
  const orderIds = [...named, ...boundTo.values()].filter((id) => id !== undefined);
  await unit.lock(...new Set([...loanIds, ...orderIds]));
  return boundTo;
}

/**
 * Reads what is stored about a report. If the loan was bound to another order before it was locked,
 * that order is not locked and not read, so the report stays undecided.
 */
async function readRecords(
  { db }: UnitOfWork,
  { loan, presentedFor }: Report,
  boundTo: string | undefined,
): Promise<AccountRecords> {
  const named = [loan.orderId, presentedFor, boundTo].filter((id) => id !== undefined);
  const ids = { orderIds: [...new Set(named)], loanIds: [loan.id] };
  const { orders, loans } = await readOrdersAndLoans(db, ids);
  // Only a payout brings entries, and most reports are about orders without one.
  const isAnyPaidOut = [...loans.values()].some(({ paidOutAt }) => paidOutAt !== undefined);
  return { orders, loans, entries: isAnyPaidOut ? await findEntries(db, ids) : [] };
}

interface Report {
  readonly loan: Loan;
  /** The order that a customer presented it for; `undefined` if the sweep found it. */
  readonly presentedFor: string | undefined;
}

export function factsOf(
  { orders, loans, entries }: AccountRecords,
  { loan, presentedFor }: Report,
  now: number,
): ReportFacts {
  const stored = loans.get(loan.id);
  const orderId = stored?.orderId ?? loan.orderId;
  const order = orderId === undefined ? undefined : orders.get(orderId);
  const isOther = (other: StoredLoan) => other.orderId === order?.id && other.id !== loan.id;
  return {
    loan,
    presentedFor,
    stored,
    orderId,
    order,
    others: order === undefined ? [] : [...loans.values()].filter(isOther),
    entries: entries.filter(({ loanId }) => loanId === loan.id),
    now,
  };
}

/** The account of the order of a loan, and that of its money without an order, if they have any. */
function accountsWithMoney(
  { loan, order }: ReportFacts,
  records: AccountRecords,
  newEntries: readonly AccountEntry[],
): AccountKey[] {
  const entries = [...records.entries, ...newEntries];
  const keys = [...(order === undefined ? [] : [{ orderId: order.id }]), { loanId: loan.id }];
  return keys.filter((key) => accountIn({ ...records, entries }, key).entries.length > 0);
}
