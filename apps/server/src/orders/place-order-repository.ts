import type { NotNull } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { Conflict, isDuplicateIn } from "../db/faults.ts";
import { padded } from "../db/in-groups.ts";
import { actorColumns } from "./actor.ts";
import { lineRowsOf, rowOf, type StorableOrder } from "./order.ts";

/** The order that was placed under an idempotency key, and the hash of the request body. */
export interface PlacedBefore {
  readonly bodyHash: string;
  readonly orderId: string;
}

/** An order to be stored, with the idempotency key of its request. */
export interface NewOrder {
  readonly order: StorableOrder;
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | undefined;
}

/** Reads which orders were placed under these idempotency keys. */
export async function findPlaced(
  unit: UnitOfWork,
  keys: readonly string[],
): Promise<Map<string, PlacedBefore>> {
  if (keys.length === 0) return new Map();
  const rows = await unit.db
    .selectFrom("idempotency_keys")
    .select(["key", "body_hash as bodyHash", "order_id as orderId"])
    .where("key", "in", padded(keys))
    .where("order_id", "is not", null)
    .$narrowType<{ orderId: NotNull }>()
    .execute();
  return new Map(rows.map(({ key, ...placed }) => [key, placed]));
}

/**
 * Makes every request refused that repeats an earlier one: no stored hash equals that of a body.
 * Their idempotency keys stay, so no such request places a second order.
 */
export async function refuseRepeats(db: Queries): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set({ body_hash: "" })
    .where("body_hash", "<>", "")
    .execute();
}

/**
 * Stores orders, their lines and their first events, and under which idempotency keys they are
 * placed. Waits for another transaction that stores one of the keys.
 *
 * @param counted the items whose stock the orders take their pieces from
 * @throws {Conflict} when another transaction has stored one of the keys meanwhile
 */
export async function insertOrders(
  unit: UnitOfWork,
  placed: readonly NewOrder[],
  counted: ReadonlySet<string> = new Set(),
): Promise<void> {
  const orders = placed.map(({ order }) => order);
  try {
    await unit.insertAll({
      // Always in the same order, so that two transactions cannot deadlock.
      idempotency_keys: placed.flatMap(keyRow).sort((one, other) => (one.key < other.key ? -1 : 1)),
      orders: orders.map(rowOf),
      order_lines: orders.flatMap((order) => lineRowsOf(order, counted)),
      order_events: orders.map(firstEventRow),
    });
  } catch (error) {
    if (!isDuplicateIn(error, "idempotency_keys")) throw error;
    throw new Conflict("another process has used an idempotency key first", { cause: error });
  }
}

function keyRow({ order, idempotency }: NewOrder) {
  if (idempotency === undefined) return [];
  const { key, bodyHash } = idempotency;
  return [{ key, body_hash: bodyHash, order_id: order.id, created_at: order.created_at }];
}

function firstEventRow(order: StorableOrder) {
  return {
    order_id: order.id,
    version: order.version,
    kind: "placed",
    from_status: null,
    to_status: order.status,
    ...actorColumns({ kind: "shopper" }),
    reason: null,
    data: null,
    at: order.created_at,
  };
}
