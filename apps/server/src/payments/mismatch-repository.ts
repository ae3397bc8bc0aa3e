import type { MismatchKind } from "@keepsats/protocol";
import type { ExpressionBuilder } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import type { Tables } from "../db/tables.ts";
import type { Claim } from "./decision.ts";
import type { Mismatch, Resolution } from "./mismatch.ts";
import type { MismatchKey } from "./mismatch-id.ts";

/** The loan and the order of a mismatch, and when it was seen in epoch milliseconds. */
export interface MismatchPlace {
  readonly contractId: string;
  readonly orderId: string;
  readonly seenAt: number;
}

/** The values of a mismatch that nobody has resolved. */
const unresolved = {
  resolution: null,
  resolution_note: null,
  resolved_by: null,
  resolved_at: null,
};

/**
 * Records a mismatch, or updates it if its detail has changed or it is resolved and told again; it
 * is open again then. Its money stays as it was first recorded.
 *
 * @returns its money in cents as it is stored now; `undefined` if it is neither new nor changed
 */
export async function recordMismatch(
  unit: UnitOfWork,
  { contractId, orderId, seenAt }: MismatchPlace,
  { kind, detail, cents, isNew = false }: Mismatch,
): Promise<{ readonly cents: number | null } | undefined> {
  return unit.db
    .insertInto("mismatches")
    .values({ contract_id: contractId, order_id: orderId, kind, detail, cents, seen_at: seenAt })
    .onConflict((conflict) =>
      conflict
        .columns(["contract_id", "order_id", "kind"])
        .doUpdateSet((eb) => ({
          detail,
          seen_at: seenAt,
          cents: eb.fn.coalesce("mismatches.cents", "excluded.cents"),
          ...unresolved,
        }))
        .where((eb) =>
          eb.or([
            eb("mismatches.detail", "!=", detail),
            ...(isNew ? [eb("mismatches.resolved_at", "is not", null)] : []),
          ]),
        ),
    )
    .returning("cents")
    .executeTakeFirst();
}

/** Finds the money of a loan that a mismatch has recorded; the first, if there are several. */
export async function findClaim(
  { db }: UnitOfWork,
  contractId: string,
): Promise<Claim | undefined> {
  const row = await db
    .selectFrom("mismatches")
    .leftJoin("orders", "orders.id", "mismatches.order_id")
    .select(["order_id", "orders.id as known_id", "kind", "cents", "resolved_at"])
    .where("contract_id", "=", contractId)
    .where("cents", "is not", null)
    .orderBy("seen_at")
    .orderBy("order_id")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.cents === null) return undefined;
  const { order_id: orderId, known_id, kind, cents, resolved_at } = row;
  return { orderId, isOfShop: known_id !== null, kind, cents, isResolved: resolved_at !== null };
}

/** The kinds of mismatch of a loan that was presented for an order that it does not belong to. */
const strays: readonly MismatchKind[] = ["foreign", "reused"];

/**
 * Whether a loan already has a recorded mismatch of the kinds in {@link strays} with an order of
 * the shop. It is recorded once per loan, because anybody can present one loan for many orders. A
 * mismatch with an order that the shop does not have is not counted.
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

/**
 * The kinds of which one loan has two mismatches: one with its money, and one for each order that
 * it may be meant for.
 */
const pairedKinds: readonly MismatchKind[] = [...strays, "renamed"];

/**
 * The open mismatches of a loan that only say for which other order it may be meant: another one
 * has its money.
 */
export async function openCompanionsOf(
  db: Queries,
  { contractId, orderId, kind }: MismatchKey,
): Promise<MismatchKey[]> {
  const rows = await db
    .selectFrom("mismatches")
    .select(["order_id", "kind"])
    .where("contract_id", "=", contractId)
    .where("kind", "in", pairedKinds)
    .where("cents", "is", null)
    .where(isOpen)
    .execute();
  return rows
    .filter((row) => row.order_id !== orderId || row.kind !== kind)
    .map((row) => ({ contractId, orderId: row.order_id, kind: row.kind }));
}

/** A mismatch as it is stored, with the status of its order; times in epoch milliseconds. */
export type StoredMismatch = Awaited<ReturnType<typeof mismatchesOf>>[number];

function storedMismatches(db: Queries) {
  return db
    .selectFrom("mismatches")
    .leftJoin("orders", "orders.id", "mismatches.order_id")
    .select([
      "contract_id",
      "order_id",
      "orders.status as order_status",
      "orders.customer_name as customer_name",
      "kind",
      "detail",
      "cents",
      "seen_at",
      "resolution",
      "resolution_note",
      "resolved_by",
      "resolved_at",
    ]);
}

/** Reads all mismatches of an order, oldest first. */
export async function mismatchesOf(db: Queries, orderId: string) {
  return storedMismatches(db)
    .where("order_id", "=", orderId)
    .orderBy("seen_at")
    .orderBy("contract_id")
    .orderBy("kind")
    .execute();
}

/** Reads one mismatch; `undefined` where there is none. */
export async function findMismatch(
  db: Queries,
  { contractId, orderId, kind }: MismatchKey,
): Promise<StoredMismatch | undefined> {
  return storedMismatches(db)
    .where("contract_id", "=", contractId)
    .where("order_id", "=", orderId)
    .where("kind", "=", kind)
    .executeTakeFirst();
}

/** Stores how a mismatch was resolved; `at` in epoch milliseconds. */
export async function storeResolution(
  { db }: UnitOfWork,
  { contractId, orderId, kind }: MismatchKey,
  { resolution, note, by, at }: { resolution: Resolution; note: string; by: string; at: number },
): Promise<void> {
  await db
    .updateTable("mismatches")
    .set({ resolution, resolution_note: note, resolved_by: by, resolved_at: at })
    .where("contract_id", "=", contractId)
    .where("order_id", "=", orderId)
    .where("kind", "=", kind)
    .execute();
}

/** Counts the open mismatches by kind. */
export async function countMismatches(
  db: Queries,
): Promise<{ kind: string; mismatches: number }[]> {
  return db
    .selectFrom("mismatches")
    .select(["kind", (eb) => eb.fn.countAll<number>().as("mismatches")])
    .where("resolved_at", "is", null)
    .groupBy("kind")
    .execute();
}

/** Counts the orders of which a refund is owed: they were cancelled after a loan had paid them. */
export async function countRefundsOwed(db: Queries): Promise<number> {
  const { orders } = await db
    .selectFrom("mismatches")
    .select((eb) => eb.fn.count<number>("order_id").distinct().as("orders"))
    .where("resolved_at", "is", null)
    .where("kind", "=", "refund-owed")
    .executeTakeFirstOrThrow();
  return Number(orders);
}

/** A position in the list of all mismatches; `seenAt` in epoch milliseconds. */
export interface PlaceOnList extends MismatchKey {
  readonly seenAt: number;
}

/** Whether a mismatch was resolved. */
export type MismatchState = "open" | "resolved";

/**
 * Reads a page of at most `limit` mismatches after a position, newest first; in any state and of
 * any kind by default.
 */
export async function listMismatches(
  db: Queries,
  options: {
    readonly state?: MismatchState | undefined;
    readonly kind?: MismatchKind | undefined;
    readonly after?: PlaceOnList | undefined;
    readonly limit: number;
  },
): Promise<StoredMismatch[]> {
  const { state, kind, after, limit } = options;
  let query = storedMismatches(db)
    .orderBy("seen_at", "desc")
    .orderBy("contract_id")
    .orderBy("order_id")
    .orderBy("kind")
    .limit(limit);
  if (state !== undefined)
    query = query.where("resolved_at", state === "open" ? "is" : "is not", null);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (after !== undefined) {
    const { seenAt, contractId, orderId, kind: afterKind } = after;
    query = query.where(({ eb, and, or, refTuple, tuple }) =>
      or([
        eb("seen_at", "<", seenAt),
        and([
          eb("seen_at", "=", seenAt),
          eb(
            refTuple("contract_id", "order_id", "kind"),
            ">",
            tuple(contractId, orderId, afterKind),
          ),
        ]),
      ]),
    );
  }
  return query.execute();
}

/** Whether nobody has dealt with a mismatch. */
export function isOpen(eb: ExpressionBuilder<Tables, "mismatches">) {
  return eb("mismatches.resolved_at", "is", null);
}

/** Whether a mismatch is open and is money that has come in and pays no order. */
export function isOpenStrayMoney(eb: ExpressionBuilder<Tables, "mismatches">) {
  return eb.and([isOpen(eb), eb("mismatches.cents", ">", 0)]);
}
