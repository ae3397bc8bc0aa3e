import type { Queries } from "../../platform/database/database.ts";
import { padded } from "../../platform/database/group-commit.ts";
import type { Actor } from "../staff/index.ts";
import { type Order, orderOf, type StoredStatus } from "./order.ts";

/** Returns `undefined` if the order does not exist. */
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
 * The fields of an order that decisions need, without lines and personal data. `total` is in cents,
 * `createdAt` in epoch milliseconds.
 */
export interface OrderState {
  readonly id: string;
  readonly status: StoredStatus;
  readonly version: number;
  readonly total: number;
  readonly createdAt: number;
}

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

export async function findState(db: Queries, id: string): Promise<OrderState | undefined> {
  return (await findStates(db, [id])).get(id);
}

/** The columns of an order event that name its author. */
export function actorColumns(by: Actor): { by: Actor["kind"]; by_name: string | null } {
  return { by: by.kind, by_name: by.kind === "staff" ? by.name : null };
}

/** Returns the events of an order, oldest first. */
export async function listEvents(db: Queries, orderId: string) {
  return db
    .selectFrom("order_events")
    .select(["kind", "from_status", "to_status", "by", "by_name", "reason", "data", "at"])
    .where("order_id", "=", orderId)
    .orderBy("version")
    .execute();
}

export type OrderEvent = Awaited<ReturnType<typeof listEvents>>[number];
