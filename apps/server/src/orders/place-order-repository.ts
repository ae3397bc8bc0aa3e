import * as z from "zod/mini";
import type { UnitOfWork } from "../db/database.ts";
import type { Order } from "./order.ts";

/** What was placed under an idempotency key, and a hash of the body it came with. */
export interface PlacedBefore {
  readonly bodyHash: string;
  readonly orderId: string;
}

/** An order about to be stored, with the idempotency key that it came with. */
export interface NewOrder {
  readonly order: Order;
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | undefined;
}

/** What was placed under these idempotency keys before. */
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
 * What is stored as the answer: the order's id alone, for all else is in the order's own rows. Up to version 0.1.0 it
 * was the whole answer.
 */
const storedAnswer = z.object({ id: z.string() });

function orderIdOf(answer: string): string {
  return storedAnswer.parse(JSON.parse(answer)).id;
}

/**
 * Stores which orders were placed under which idempotency keys. Waits for a transaction that is storing the same key.
 *
 * @returns the keys that another transaction has stored meanwhile
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
              created_at: order.createdAt,
            },
          ],
    )
    // In one order everywhere, so that two transactions never wait for each other.
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

/** Stores orders with their lines and first events. */
export async function insertOrders(unit: UnitOfWork, placed: readonly NewOrder[]): Promise<void> {
  if (placed.length === 0) return;
  const orders = placed.map(({ order }) => order);
  await unit.db.insertInto("orders").values(orders.map(orderRow)).execute();
  await unit.db.insertInto("order_lines").values(orders.flatMap(lineRows)).execute();
  await unit.db.insertInto("order_events").values(orders.map(firstEventRow)).execute();
}

function orderRow(order: Order) {
  return {
    id: order.id,
    status: order.status,
    version: order.version,
    attempt_over: 0,
    customer_name: order.customerName,
    customer_email: order.customerEmail,
    shipping_address: JSON.stringify(order.shippingAddress),
    billing_address: JSON.stringify(order.billingAddress),
    total: order.total,
    created_at: order.createdAt,
  };
}

function lineRows(order: Order) {
  return order.lines.map((line, position) => ({
    order_id: order.id,
    position,
    item_id: line.id,
    name: line.name,
    price: line.price,
    quantity: line.quantity,
  }));
}

function firstEventRow(order: Order) {
  return {
    order_id: order.id,
    version: order.version,
    from_status: null,
    to_status: order.status,
    by: "shopper",
    reason: null,
    at: order.createdAt,
  };
}
