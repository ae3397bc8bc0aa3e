import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Loan } from "./loan.ts";

/** Raise it when a rule of {@link ./decide.ts} changes: the sweep settles every loan again then. */
const RULES = 2;

/** Everything of a loan that a decision depends on, as a text that two loans share only if all of it is the same. */
function fingerprint(loan: Loan): string {
  const { orderId, isMisnamed, cents, unfit, standing, isDisputed, wasExtended, word } = loan;
  return JSON.stringify([RULES, orderId, isMisnamed, cents, unfit, standing, isDisputed, wasExtended, word]);
}

/** Remembers, inside a transaction, that the sweep has settled these loans as they are now. */
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

/** Leaves out the loans that the sweep has settled as they are now. */
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
