import type { MismatchKind } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";
import type { Mismatch } from "./mismatch.ts";

/** Where a mismatch was seen. */
export interface MismatchPlace {
  readonly contractId: string;
  readonly orderId: string;
  readonly seenAt: number;
}

/** Records a mismatch once, and again when its detail differs. @returns whether anything was recorded */
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

/** The kinds that are recorded where a loan is presented for an order that it does not belong to. */
const strays: readonly MismatchKind[] = ["foreign", "reused"];

/**
 * Whether it is recorded already that a loan was presented for an order of ours that is not its own. Anybody can present
 * one loan for many orders, so it is recorded once. What is recorded of a loan that was paid out for an order that we do
 * not have does not count here.
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

/** A position in the list of all mismatches; `seenAt` in epoch milliseconds. */
export interface PlaceOnList {
  readonly seenAt: number;
  readonly contractId: string;
  readonly orderId: string;
  readonly kind: string;
}

/** A page of mismatches, newest first: at most `limit` of them, after that position. */
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
