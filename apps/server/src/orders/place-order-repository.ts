import type { UnitOfWork } from "../db/database.ts";
import type { Order } from "./order.ts";

/** The answer that an idempotency key got, and a hash of the body it came with. */
export interface StoredAnswer {
  readonly bodyHash: string;
  readonly answer: string;
}

/** An order about to be stored, with the answer to keep under its idempotency key. */
export interface NewOrder {
  readonly order: Order;
  readonly idempotency: (StoredAnswer & { readonly key: string }) | undefined;
}

/** The answers that these idempotency keys got before. */
export async function findAnswers(
  unit: UnitOfWork,
  keys: readonly string[],
): Promise<Map<string, StoredAnswer>> {
  if (keys.length === 0) return new Map();
  const rows = await unit.db
    .selectFrom("idempotency_keys")
    .select(["key", "body_hash as bodyHash", "answer"])
    .where("key", "in", keys)
    .execute();
  return new Map(rows.map(({ key, ...answer }) => [key, answer]));
}

/**
 * Stores the answers of orders under their idempotency keys. Waits for a transaction that is storing the same key.
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
              answer: idempotency.answer,
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
