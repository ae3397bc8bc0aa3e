import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../db/database.ts";
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
    .select(["key", "body_hash as bodyHash", "answer"])
    .where("key", "in", keys)
    .execute();
  return new Map(rows.map(({ key, bodyHash, answer }) => [key, { bodyHash, orderId: orderIdOf(answer) }]));
}

/**
 * The stored answer: the order's id only, because everything else is in the order's rows. Versions up to 0.1.0 stored the
 * whole answer.
 */
const storedAnswer = z.object({ id: z.string() });

function orderIdOf(answer: string): string {
  return storedAnswer.parse(JSON.parse(answer)).id;
}

/**
 * Stores which orders are placed under which idempotency keys. Waits for another transaction that stores the same key.
 *
 * @returns the keys that another transaction has stored first
 */
export async function claimKeys(unit: UnitOfWork, placed: readonly NewOrder[]): Promise<Set<string>> {
  const rows = placed
    .flatMap(({ order, idempotency }) =>
      idempotency === undefined
        ? []
        : [
            {
              key: idempotency.key,
              body_hash: idempotency.bodyHash,
              answer: JSON.stringify({ id: order.id }),
              created_at: order.created_at,
            },
          ],
    )
    // Always in the same order, so that two transactions cannot deadlock.
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  if (rows.length === 0) return new Set();
  const stored = await unit.db
    .insertInto("idempotency_keys")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning("key")
    .execute();
  const lost = new Set(rows.map(({ key }) => key));
  for (const { key } of stored) lost.delete(key);
  return lost;
}

/**
 * Makes every request refused that repeats an earlier one: no stored hash equals that of a body. Their idempotency keys stay, so
 * no such request places a second order.
 */
export async function refuseRepeats(db: Queries): Promise<void> {
  await db.updateTable("idempotency_keys").set({ body_hash: "" }).where("body_hash", "<>", "").execute();
}

/**
 * Stores orders, their lines and their first events.
 *
 * @param counted the items whose stock the orders take their pieces from
 */
export async function insertOrders(
  unit: UnitOfWork,
  placed: readonly NewOrder[],
  counted: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (placed.length === 0) return;
  const orders = placed.map(({ order }) => order);
  await unit.db.insertInto("orders").values(orders.map(rowOf)).execute();
  await unit.db
    .insertInto("order_lines")
    .values(orders.flatMap((order) => lineRowsOf(order, counted)))
    .execute();
  await unit.db.insertInto("order_events").values(orders.map(firstEventRow)).execute();
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
