import type { UnitOfWork } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import { accountKeyOf } from "../journal/journal-repository.ts";
import { isPresumptionOver, type StoredLoan } from "../rules/index.ts";
import { findLoan, findPresumedExtensions, saveLoan } from "./loan-repository.ts";

/**
 * Ends presumptions after a complete sweep: a loan that only seemed to extend another one becomes a
 * duplicate.
 *
 * @param began when the sweep began, by the shared clock
 */
export async function endPresumptions(
  began: number,
  {
    database,
    issues,
    now,
    onError,
  }: Pick<Platform, "database" | "now" | "onError"> & { readonly issues: IssueWriter },
): Promise<void> {
  // Loans have times of the clock that people read.
  const lastSweepBegan = now() - (database.now() - began);
  const isOver = (loan: StoredLoan) => isPresumptionOver(loan, lastSweepBegan);

  async function end(unit: UnitOfWork, { id, orderId }: StoredLoan): Promise<void> {
    await unit.lock(id, ...(orderId === undefined ? [] : [orderId]));
    const loan = await findLoan(unit.db, id);
    if (loan === undefined || !isOver(loan)) return;
    await saveLoan(unit, { ...loan, presumedExtensionAt: undefined });
    const key = accountKeyOf({ loanId: id, orderId: loan.orderId });
    await issues.update(unit, key, { kind: "shop" });
  }

  for (const loan of await findPresumedExtensions(database.db, lastSweepBegan))
    if (isOver(loan)) await database.inTransaction((unit) => end(unit, loan)).catch(onError);
}
