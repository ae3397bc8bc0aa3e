import type { Database, UnitOfWork } from "../../../platform/database/database.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import { accountKeyOf } from "../journal/journal-repository.ts";
import { equalPayouts, isPresumptionOver, type StoredLoan } from "../rules.ts";
import { recheckAt } from "./loan-queue.ts";
import { findLoan, findPresumedExtensions, saveLoan } from "./loan-repository.ts";

/**
 * After how many milliseconds the provider is asked about the loan that a new payout seems to
 * extend: it marks that loan some seconds after it has stored the extension.
 */
const RECHECK_AFTER = 5_000;

/**
 * Schedules an early check of each loan that a new payout is presumed to extend.
 *
 * @param others the other loans of its order
 */
export async function recheckExtended(
  unit: UnitOfWork,
  extension: StoredLoan,
  others: readonly StoredLoan[],
  now: number,
): Promise<void> {
  const { orderId } = extension;
  if (orderId === undefined) return;
  for (const { id: loanId, refusal } of equalPayouts(extension, others))
    if (refusal === undefined) await recheckAt(unit, { orderId, loanId }, now + RECHECK_AFTER);
}

interface Dependencies {
  readonly database: Database;
  readonly issues: IssueWriter;
  readonly now: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Ends presumptions after a complete sweep: a loan that only seemed to extend another one becomes a
 * duplicate.
 *
 * @param began when the sweep began, by the shared clock
 */
export async function endPresumptions(began: number, dependencies: Dependencies): Promise<void> {
  const { database, now, onError } = dependencies;
  // Loans have times of the clock that people read.
  const lastSweepBegan = now() - (database.now() - began);
  for (const loan of await findPresumedExtensions(database.db, now())) {
    if (!isPresumptionOver(loan, { now: now(), lastSweepBegan })) continue;
    await database
      .inTransaction((unit) => endPresumption(unit, loan, lastSweepBegan, dependencies))
      .catch(onError);
  }
}

async function endPresumption(
  unit: UnitOfWork,
  { id, orderId }: StoredLoan,
  lastSweepBegan: number,
  { issues, now }: Dependencies,
): Promise<void> {
  await unit.lock(id, ...(orderId === undefined ? [] : [orderId]));
  const loan = await findLoan(unit.db, id);
  if (loan === undefined || !isPresumptionOver(loan, { now: now(), lastSweepBegan })) return;
  await saveLoan(unit, { ...loan, presumedExtensionAt: undefined });
  const key = accountKeyOf({ loanId: id, orderId: loan.orderId });
  await issues.update(unit, key, { kind: "shop" });
}
