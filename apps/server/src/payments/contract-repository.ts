import type { ContractMeaning } from "@keepsats/domain";
import type { Queries, UnitOfWork } from "../db/database.ts";
import type { Mismatch } from "./mismatch.ts";

/** A contract that is bound to an order; `boundAt` in epoch milliseconds. */
export interface BoundContract {
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  readonly meaning: ContractMeaning;
  readonly boundAt: number;
}

const columns = ["id", "order_id as orderId", "status", "meaning", "bound_at as boundAt"] as const;

/** The binding of a contract; `undefined` where it is bound to no order. */
export async function findContract(db: Queries, id: string): Promise<BoundContract | undefined> {
  return db.selectFrom("contracts").select(columns).where("id", "=", id).executeTakeFirst();
}

/** All contracts bound to an order, oldest first. */
export async function contractsOf(db: Queries, orderId: string): Promise<BoundContract[]> {
  return db
    .selectFrom("contracts")
    .select(columns)
    .where("order_id", "=", orderId)
    .orderBy("bound_at")
    .execute();
}

/** Binds a contract for good, or notes how a bound one has changed. */
export async function saveContract(unit: UnitOfWork, contract: BoundContract): Promise<void> {
  await unit.db
    .insertInto("contracts")
    .values({
      id: contract.id,
      order_id: contract.orderId,
      status: contract.status,
      meaning: contract.meaning,
      bound_at: contract.boundAt,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ status: contract.status, meaning: contract.meaning }),
    )
    .execute();
}

/** Whether another contract of the order is on its way or has paid. */
export async function hasOtherHope(unit: UnitOfWork, orderId: string, contractId: string): Promise<boolean> {
  const row = await unit.db
    .selectFrom("contracts")
    .select("id")
    .where("order_id", "=", orderId)
    .where("id", "!=", contractId)
    .where("meaning", "in", ["processing", "paid", "unknown"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Where a mismatch was seen. */
export interface MismatchPlace {
  readonly contractId: string;
  readonly orderId: string;
  readonly seenAt: number;
}

/** Records a mismatch once. @returns whether it was new */
export async function recordMismatch(
  unit: UnitOfWork,
  { contractId, orderId, seenAt }: MismatchPlace,
  { kind, detail }: Mismatch,
): Promise<boolean> {
  const row = await unit.db
    .insertInto("mismatches")
    .values({ contract_id: contractId, order_id: orderId, kind, detail, seen_at: seenAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning("kind")
    .executeTakeFirst();
  return row !== undefined;
}

/** The newest mismatches, newest first. */
export async function listMismatches(db: Queries, limit: number) {
  return db
    .selectFrom("mismatches")
    .select(["contract_id", "order_id", "kind", "detail", "seen_at"])
    .orderBy("seen_at", "desc")
    .limit(limit)
    .execute();
}
