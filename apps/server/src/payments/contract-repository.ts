import { type ContractMeaning, contractMeaning } from "@keepsats/domain";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Mismatch } from "./mismatch.ts";

/** A contract that is bound to an order; `boundAt` in epoch milliseconds. */
export interface BoundContract {
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  readonly meaning: ContractMeaning;
  readonly boundAt: number;
  /** When the provider last changed it, as far as we have heard; epoch milliseconds. */
  readonly updatedAt: number;
}

const columns = [
  "id",
  "order_id as orderId",
  "status",
  "meaning",
  "bound_at as boundAt",
  "updated_at as updatedAt",
] as const;

/** The binding of a contract; `undefined` where it is bound to no order. */
export async function findContract(db: Queries, id: string): Promise<BoundContract | undefined> {
  return (await findContracts(db, [id])).get(id);
}

/** The bindings of many contracts, by their ids. */
export async function findContracts(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, BoundContract>> {
  const rows = await db.selectFrom("contracts").select(columns).where("id", "in", padded(ids)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The statuses that bound contracts have had last, of many at once. Paid ones that lack money are left out, to be looked at again. */
export async function knownStatuses(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("contracts")
    .select(["id", "status", "meaning"])
    .where("id", "in", ids)
    .execute();
  const settled = rows.filter(
    ({ status, meaning }) => meaning === "paid" || contractMeaning(status) !== "paid",
  );
  return new Map(settled.map(({ id, status }) => [id, status]));
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
      updated_at: contract.updatedAt,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        status: contract.status,
        meaning: contract.meaning,
        updated_at: contract.updatedAt,
      }),
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
    .where("meaning", "in", ["processing", "paid"])
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

/** Records a mismatch once, and again when there is something else to say of it. @returns whether it was news */
export async function recordMismatch(
  unit: UnitOfWork,
  { contractId, orderId, seenAt }: MismatchPlace,
  { kind, detail }: Mismatch,
): Promise<boolean> {
  const row = await unit.db
    .insertInto("mismatches")
    .values({ contract_id: contractId, order_id: orderId, kind, detail, seen_at: seenAt })
    .onConflict((conflict) =>
      conflict
        .columns(["contract_id", "order_id", "kind"])
        .doUpdateSet({ detail, seen_at: seenAt })
        .where("mismatches.detail", "!=", detail),
    )
    .returning("kind")
    .executeTakeFirst();
  return row !== undefined;
}

/** A page of mismatches, newest first: at most `limit` of them, after the first `skip`. */
export async function listMismatches(db: Queries, { skip, limit }: { skip: number; limit: number }) {
  return db
    .selectFrom("mismatches")
    .select(["contract_id", "order_id", "kind", "detail", "seen_at"])
    .orderBy("seen_at", "desc")
    .orderBy("contract_id")
    .orderBy("order_id")
    .orderBy("kind")
    .limit(limit)
    .offset(skip)
    .execute();
}
