import type { Clock } from "../../clock.ts";
import type { Database, UnitOfWork } from "../../db/database.ts";
import type { Reconcile } from "../issues/reconcile.ts";
import { accountOf } from "../journal/journal-repository.ts";
import { findLoan, presumedExtensions, saveLoan } from "../loan-repository.ts";
import { isPresumptionOver, type StoredLoan } from "../rules.ts";

interface Dependencies {
  readonly database: Database;
  readonly reconcile: Reconcile;
  readonly now: Clock;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Creates the function that ends presumptions after a complete sweep: a loan that only seemed to
 * extend another one becomes a duplicate.
 *
 * @returns a function that takes when the sweep began, by the shared clock
 */
export function createEndPresumptions({
  database,
  reconcile,
  now,
  leaseNow,
  onError,
}: Dependencies): (began: number) => Promise<void> {
  async function end(unit: UnitOfWork, { id, orderId }: StoredLoan, lastSweepBegan: number) {
    await unit.lock(id, ...(orderId === undefined ? [] : [orderId]));
    const loan = await findLoan(unit.db, id);
    if (loan === undefined || !isPresumptionOver(loan, { now: now(), lastSweepBegan })) return;
    await saveLoan(unit, { ...loan, presumedExtensionAt: undefined });
    const key = accountOf({ loanId: id, orderId: loan.orderId });
    await reconcile(unit, key, { kind: "shop" });
  }

  return async (began) => {
    // Loans have times of the clock that people read.
    const lastSweepBegan = now() - (leaseNow() - began);
    for (const loan of await presumedExtensions(database.db, now())) {
      if (!isPresumptionOver(loan, { now: now(), lastSweepBegan })) continue;
      await database.inTransaction((unit) => end(unit, loan, lastSweepBegan)).catch(onError);
    }
  };
}
