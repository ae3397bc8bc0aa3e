import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Loan } from "./loan.ts";

/**
 * Increase it when a rule in `rules.ts` changes, so that the sweep settles every loan again.
 */
const RULES = 6;

/** A fingerprint of all fields of a loan that a decision depends on. */
function fingerprint(loan: Loan): string {
  const { orderId, isMisnamed, unfit, state, isDisputed, wasExtended, providerStatus } = loan;
  return JSON.stringify([
    RULES,
    orderId,
    isMisnamed,
    loan.cents,
    loan.exactCents,
    loan.amountText,
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

/** Makes the next sweep settle loans again, because a check has changed them since the last one. */
export async function forgetSettled({ db }: UnitOfWork, loanIds: readonly string[]): Promise<void> {
  if (loanIds.length === 0) return;
  await db.deleteFrom("settled_loans").where("loan_id", "in", padded(loanIds)).execute();
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
