import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { ProviderContract } from "./loan-provider.ts";

/** Raise it when a rule of `decide.ts` changes, or a list of statuses or assets: every contract is settled anew then. */
const RULES = 1;

/** Everything that a decision about a contract depends on and the provider can change. */
function told({ status, loan_amount, loan_asset, client_contract_id = null }: ProviderContract): string {
  return JSON.stringify([RULES, status, loan_amount, loan_asset, client_contract_id]);
}

/** Remembers, inside a transaction, what the provider has said of contracts, so that the same is not settled again. */
export async function remember(unit: UnitOfWork, contracts: readonly ProviderContract[]): Promise<void> {
  if (contracts.length === 0) return;
  const latest = new Map(contracts.map((contract) => [contract.id, told(contract)]));
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

/** Leaves out those contracts of a list that were settled as they are now. */
export async function withoutSettled(
  db: Queries,
  contracts: readonly ProviderContract[],
): Promise<ProviderContract[]> {
  if (contracts.length === 0) return [];
  const rows = await db
    .selectFrom("settled_contracts")
    .selectAll()
    .where("contract_id", "in", padded(contracts.map(({ id }) => id)))
    .execute();
  const known = new Map(rows.map(({ contract_id, told }) => [contract_id, told]));
  return contracts.filter((contract) => known.get(contract.id) !== told(contract));
}
