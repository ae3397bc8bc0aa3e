import type { ContractMeaning } from "@keepsats/domain";
import type { MismatchKind } from "@keepsats/protocol";
import type { Selectable } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Tables } from "../db/tables.ts";
import type { Mismatch } from "./mismatch.ts";

/** A contract that is bound to an order; `boundAt` in epoch milliseconds. */
export interface BoundContract {
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  readonly meaning: ContractMeaning;
  /** What it lends, or lent when it was paid out; `undefined` where that is not known. */
  readonly cents: number | undefined;
  /** The contract that it goes on with: it brings no money of its own. */
  readonly extends: string | undefined;
  readonly boundAt: number;
  /** When the provider last changed it, as far as we have heard; epoch milliseconds. */
  readonly updatedAt: number;
}

function boundContractOf(row: Selectable<Tables["contracts"]>): BoundContract {
  return {
    id: row.id,
    orderId: row.order_id,
    status: row.status,
    meaning: row.meaning,
    cents: row.cents ?? undefined,
    extends: row.extends ?? undefined,
    boundAt: row.bound_at,
    updatedAt: row.updated_at,
  };
}

/** The binding of a contract; `undefined` where it is bound to no order. */
export async function findContract(db: Queries, id: string): Promise<BoundContract | undefined> {
  return (await findContracts(db, [id])).get(id);
}

/** The bindings of many contracts, by their ids. */
export async function findContracts(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, BoundContract>> {
  const rows = await db.selectFrom("contracts").selectAll().where("id", "in", padded(ids)).execute();
  return new Map(rows.map((row) => [row.id, boundContractOf(row)]));
}

/** The binding of a contract, wherever it is bound to, and all other contracts of an order, oldest first. */
export async function findContractAndOthers(
  db: Queries,
  id: string,
  orderId: string | undefined,
): Promise<{ bound: BoundContract | undefined; others: BoundContract[] }> {
  const rows = await db
    .selectFrom("contracts")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", id), eb("order_id", "=", orderId ?? "")]))
    .orderBy("bound_at")
    .execute();
  const contracts = rows.map(boundContractOf);
  return {
    bound: contracts.find((contract) => contract.id === id),
    others: contracts.filter((contract) => contract.id !== id),
  };
}

/** All contracts bound to an order, oldest first. */
export async function contractsOf(db: Queries, orderId: string): Promise<BoundContract[]> {
  const rows = await db
    .selectFrom("contracts")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("bound_at")
    .execute();
  return rows.map(boundContractOf);
}

/** Which contracts have paid these orders, by the orders' ids. */
export async function payingContracts(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("contracts")
    .select(["id", "order_id"])
    .where("order_id", "in", padded(orderIds))
    .where("meaning", "=", "paid")
    .execute();
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map([...byOrder].map(([orderId, contracts]) => [orderId, contracts.map(({ id }) => id)]));
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
      cents: contract.cents ?? null,
      extends: contract.extends ?? null,
      bound_at: contract.boundAt,
      updated_at: contract.updatedAt,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        status: contract.status,
        meaning: contract.meaning,
        cents: contract.cents ?? null,
        extends: contract.extends ?? null,
        updated_at: contract.updatedAt,
      }),
    )
    .execute();
}

/** Notes that a bound contract goes on with another; that it was told as a second payment is put right. */
export async function linkExtension({ db }: UnitOfWork, id: string, extended: string): Promise<void> {
  await db.updateTable("contracts").set({ extends: extended }).where("id", "=", id).execute();
  const detail = `It goes on with loan ${extended}, which was extended: it brought no money of its own.`;
  await db
    .updateTable("mismatches")
    .set({ detail })
    .where("contract_id", "=", id)
    .where("kind", "in", ["second", "paid-after-cancel", "refund-owed"])
    .execute();
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

/** What is recorded where a contract is presented for an order that it does not belong to. */
const strays: readonly MismatchKind[] = ["foreign", "reused"];

/**
 * Whether it is recorded already that a contract was presented for an order of ours that is not its own: anybody can
 * present it for many. That it was paid out for an order that we do not have is another matter.
 */
export async function isKnownStray(
  unit: UnitOfWork,
  contractId: string,
  kind: MismatchKind,
): Promise<boolean> {
  if (!strays.includes(kind)) return false;
  const row = await unit.db
    .selectFrom("mismatches")
    .select("kind")
    .where("contract_id", "=", contractId)
    .where("kind", "in", strays)
    .where("order_id", "in", (eb) =>
      eb.selectFrom("orders").select("id").whereRef("orders.id", "=", "mismatches.order_id"),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** All mismatches of an order, oldest first. */
export async function mismatchesOf(db: Queries, orderId: string) {
  return db
    .selectFrom("mismatches")
    .select(["contract_id", "kind", "detail", "seen_at"])
    .where("order_id", "=", orderId)
    .orderBy("seen_at")
    .orderBy("contract_id")
    .orderBy("kind")
    .execute();
}

/** How many mismatches of each kind are recorded. */
export async function countMismatches(db: Queries): Promise<{ kind: string; mismatches: number }[]> {
  return db
    .selectFrom("mismatches")
    .select(["kind", (eb) => eb.fn.countAll<number>().as("mismatches")])
    .groupBy("kind")
    .execute();
}

/** Where a mismatch stands on the list of all; `seenAt` in epoch milliseconds. */
export interface PlaceOnList {
  readonly seenAt: number;
  readonly contractId: string;
  readonly orderId: string;
  readonly kind: string;
}

/** A page of mismatches, newest first: at most `limit` of them, after that place. */
export async function listMismatches(
  db: Queries,
  { after, limit }: { after?: PlaceOnList | undefined; limit: number },
) {
  let query = db
    .selectFrom("mismatches")
    .select(["contract_id", "order_id", "kind", "detail", "seen_at"])
    .orderBy("seen_at", "desc")
    .orderBy("contract_id")
    .orderBy("order_id")
    .orderBy("kind")
    .limit(limit);
  if (after !== undefined) {
    const { seenAt, contractId, orderId, kind } = after;
    query = query.where(({ eb, and, or, refTuple, tuple }) =>
      or([
        eb("seen_at", "<", seenAt),
        and([
          eb("seen_at", "=", seenAt),
          eb(refTuple("contract_id", "order_id", "kind"), ">", tuple(contractId, orderId, kind)),
        ]),
      ]),
    );
  }
  return query.execute();
}
