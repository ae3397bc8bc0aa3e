import type { MismatchKind } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";
import type { Mismatch } from "./mismatch.ts";

/** The loan and the order of a mismatch, and when it was seen in epoch milliseconds. */
export interface MismatchPlace {
  readonly contractId: string;
  readonly orderId: string;
  readonly seenAt: number;
}

/** Records a mismatch, or updates it if its detail has changed. @returns whether anything was written */
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

/** The kinds of mismatch of a loan that was presented for an order that it does not belong to. */
const strays: readonly MismatchKind[] = ["foreign", "reused"];

/**
 * Whether a loan already has a recorded mismatch of the kinds in {@link strays} with an order of the shop. It is
 * recorded once per loan, because anybody can present one loan for many orders. A mismatch with an order that the shop
 * does not have is not counted.
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

/** Reads all mismatches of an order, oldest first. */
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

/** Counts the recorded mismatches by kind. */
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

/** Reads a page of at most `limit` mismatches after a position, newest first. */
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
