import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Loan } from "./loan.ts";

/**
 * Increase it when a rule about payments changes, so that the sweep settles every loan again. The
 * rules are in `decide.ts`, `payout.ts`, `claim.ts`, `extension.ts`, `decision.ts` and
 * `issue.ts`.
 */
const RULES = 5;

/** A fingerprint of all fields of a loan that a decision depends on. */
function fingerprint(loan: Loan): string {
  const { orderId, isMisnamed, cents, unfit, state, isDisputed, wasExtended, providerStatus } =
    loan;
  return JSON.stringify([
    RULES,
    orderId,
    isMisnamed,
    cents,
    unfit,
    state,
    isDisputed,
    wasExtended,
    providerStatus,
  ]);
}

/** Stores, inside a transaction, that the sweep has settled these loans in their current state. */
export async function rememberSettled(unit: UnitOfWork, loans: readonly Loan[]): Promise<void> {
  if (loans.length === 0) return;
  const latest = new Map(loans.map((loan) => [loan.id, fingerprint(loan)]));
  await unit.db
    .insertInto("settled_loans")
    .values([...latest].map(([loan_id, report]) => ({ loan_id, report })))
    .onConflict((conflict) =>
      conflict
        .column("loan_id")
        .doUpdateSet((eb) => ({ report: eb.ref("excluded.report") }))
        .whereRef("settled_loans.report", "!=", "excluded.report"),
    )
    .execute();
}

/**
 * Makes the next sweep settle a loan again, for example because a resolved payment issue has ended
 * its attempt.
 */
export async function forgetSettled({ db }: UnitOfWork, loanId: string): Promise<void> {
  await db.deleteFrom("settled_loans").where("loan_id", "=", loanId).execute();
}

/** Removes the loans that the sweep has already settled in their current state. */
export async function withoutSettled(db: Queries, loans: readonly Loan[]): Promise<Loan[]> {
  if (loans.length === 0) return [];
  const rows = await db
    .selectFrom("settled_loans")
    .selectAll()
    .where("loan_id", "in", padded(loans.map(({ id }) => id)))
    .execute();
  const known = new Map(rows.map(({ loan_id, report }) => [loan_id, report]));
  return loans.filter((loan) => known.get(loan.id) !== fingerprint(loan));
}
