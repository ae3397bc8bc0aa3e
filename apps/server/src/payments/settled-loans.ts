import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Loan } from "./loan.ts";

/**
 * Increase it when a rule about payments changes, so that the sweep settles every loan again. The
 * rules are in `decide.ts`, `payout.ts`, `claim.ts`, `extension.ts`, `decision.ts` and
 * `mismatch.ts`.
 */
const RULES = 4;

/** A fingerprint of all fields of a loan that a decision depends on. */
function fingerprint(loan: Loan): string {
  const { orderId, isMisnamed, cents, unfit, standing, isDisputed, wasExtended, word } = loan;
  return JSON.stringify([
    RULES,
    orderId,
    isMisnamed,
    cents,
    unfit,
    standing,
    isDisputed,
    wasExtended,
    word,
  ]);
}

/** Stores, inside a transaction, that the sweep has settled these loans in their current state. */
export async function rememberSettled(unit: UnitOfWork, loans: readonly Loan[]): Promise<void> {
  if (loans.length === 0) return;
  const latest = new Map(loans.map((loan) => [loan.id, fingerprint(loan)]));
  await unit.db
    .insertInto("settled_contracts")
    .values([...latest].map(([contract_id, told]) => ({ contract_id, told })))
    .onConflict((conflict) =>
      conflict
        .column("contract_id")
        .doUpdateSet((eb) => ({ told: eb.ref("excluded.told") }))
        .whereRef("settled_contracts.told", "!=", "excluded.told"),
    )
    .execute();
}

/**
 * Makes the next sweep settle a loan again, for example because a resolved mismatch has ended its
 * attempt.
 */
export async function forgetSettled({ db }: UnitOfWork, loanId: string): Promise<void> {
  await db.deleteFrom("settled_contracts").where("contract_id", "=", loanId).execute();
}

/** Removes the loans that the sweep has already settled in their current state. */
export async function withoutSettled(db: Queries, loans: readonly Loan[]): Promise<Loan[]> {
  if (loans.length === 0) return [];
  const rows = await db
    .selectFrom("settled_contracts")
    .selectAll()
    .where("contract_id", "in", padded(loans.map(({ id }) => id)))
    .execute();
  const known = new Map(rows.map(({ contract_id, told }) => [contract_id, told]));
  return loans.filter((loan) => known.get(loan.id) !== fingerprint(loan));
}
