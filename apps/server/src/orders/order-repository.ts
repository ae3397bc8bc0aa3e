import { isOrderId } from "@keepsats/protocol";
import type { Queries } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { type Order, orderOf, type StoredStatus } from "./order.ts";

/** Reads one order with its lines; `undefined` where there is none. */
export async function findOrder(db: Queries, id: string): Promise<Order | undefined> {
  return (await findOrders(db, [id])).get(id);
}

/**
 * Reads orders with their lines, by id. Lines never change, so they are read in a second query
 * without a transaction.
 */
export async function findOrders(db: Queries, ids: readonly string[]): Promise<Map<string, Order>> {
  const rows = await db.selectFrom("orders").selectAll().where("id", "in", padded(ids)).execute();
  if (rows.length === 0) return new Map();
  const lines = await db
    .selectFrom("order_lines")
    .select(["order_id", "item_id", "name", "price", "quantity"])
    .where("order_id", "in", padded(rows.map(({ id }) => id)))
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
  return new Map(rows.map((row) => [row.id, orderOf(row, linesOf.get(row.id) ?? [])]));
}

/**
 * The fields of an order that decisions need, without lines and personal data; `total` in cents,
 * `createdAt` in epoch milliseconds.
 */
export interface OrderState {
  readonly id: string;
  readonly status: StoredStatus;
  readonly version: number;
  readonly total: number;
  readonly createdAt: number;
}

/** Reads the states of orders, by id. */
export async function findStates(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, OrderState>> {
  const rows = await db
    .selectFrom("orders")
    .select(["id", "status", "version", "total", "created_at as createdAt"])
    .where("id", "in", padded(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads the state of an order; `undefined` where there is none. */
export async function findState(db: Queries, id: string): Promise<OrderState | undefined> {
  return (await findStates(db, [id])).get(id);
}

const idPrefix = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/** The orders that an id or a prefix of it matches. */
export type ResolvedId =
  | { readonly kind: "one"; readonly id: string }
  | { readonly kind: "none" }
  | { readonly kind: "many" };

/** Finds an order by its id or by the first 8 or more characters of it. */
export async function resolveOrderId(db: Queries, given: string): Promise<ResolvedId> {
  const text = given.toLowerCase();
  if (!idPrefix.test(text)) return { kind: "none" };
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("id", ">=", text)
    .where("id", "<=", isOrderId(text) ? text : `${text}~`)
    .limit(2)
    .execute();
  const [first, second] = rows;
  if (first === undefined) return { kind: "none" };
  return second === undefined ? { kind: "one", id: first.id } : { kind: "many" };
}

/** Reads the events of an order, oldest first. */
export async function listEvents(db: Queries, orderId: string) {
  return db
    .selectFrom("order_events")
    .select(["kind", "from_status", "to_status", "by", "by_name", "reason", "data", "at"])
    .where("order_id", "=", orderId)
    .orderBy("version")
    .execute();
}
