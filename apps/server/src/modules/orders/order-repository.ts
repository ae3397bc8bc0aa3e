import type { OrderEventKind } from "@keepsats/protocol";
import * as z from "zod/mini";
import { padKeys, type Queries, type UnitOfWork } from "../../platform/database/database.ts";
import type { Actor } from "../staff/index.ts";
import { addressColumn, type Order, orderOf, type StoredStatus } from "./order.ts";
import { orderNumber } from "./order-number.ts";

/** Returns `undefined` if the order does not exist. */
export async function findOrder(db: Queries, id: string): Promise<Order | undefined> {
  return (await findOrders(db, [id])).get(id);
}

/** Locks an order and reads it; `undefined` if it does not exist. */
export async function lockOrder(unit: UnitOfWork, id: string): Promise<Order | undefined> {
  await unit.lock(id);
  return findOrder(unit.db, id);
}

/**
 * Reads orders with their lines, by id. Lines never change, so they are read in a second query
 * without a transaction.
 */
export async function findOrders(db: Queries, ids: readonly string[]): Promise<Map<string, Order>> {
  const rows = await db
    .selectFrom("orders")
    .selectAll()
    .select(orderNumber)
    .where("id", "in", padKeys(ids))
    .execute();
  if (rows.length === 0) return new Map();
  const lines = await db
    .selectFrom("order_lines")
    .select(["order_id", "item_id", "name", "price", "quantity"])
    .where("order_id", "in", padKeys(rows.map(({ id }) => id)))
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
  return new Map(rows.map((row) => [row.id, orderOf(row, linesOf.get(row.id) ?? [])]));
}

/**
 * The fields of an order that decisions need, without lines and personal data. `total` is in cents,
 * `created_at` in epoch milliseconds.
 */
export interface OrderState {
  readonly id: string;
  readonly status: StoredStatus;
  readonly version: number;
  readonly total: number;
  readonly created_at: number;
}

export async function findStates(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, OrderState>> {
  const rows = await db
    .selectFrom("orders")
    .select(["id", "status", "version", "total", "created_at"])
    .where("id", "in", padKeys(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The status of each order at a time, in epoch milliseconds; without orders placed after it. */
export async function findStatusesAt(
  db: Queries,
  ids: readonly string[],
  time: number,
): Promise<Map<string, StoredStatus>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_events")
    .select(["order_id", "to_status"])
    .where("order_id", "in", padKeys(ids))
    .where("at", "<", time)
    .orderBy("order_id")
    .orderBy("version")
    .execute();
  return new Map(rows.map(({ order_id, to_status }) => [order_id, to_status]));
}

export async function findState(db: Queries, id: string): Promise<OrderState | undefined> {
  return (await findStates(db, [id])).get(id);
}

/** What a list of money shows of an order. */
export interface OrderReference {
  readonly number: string;
  /** As its customer wrote it; empty once erased. */
  readonly country: string;
  /** In cents. */
  readonly total: number;
}

export async function findReferences(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, OrderReference>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("orders")
    .select(["id", "shipping_address", "total", orderNumber])
    .where("id", "in", padKeys(ids))
    .execute();
  return new Map(
    rows.map(({ id, number, shipping_address, total }) => [
      id,
      { number, total, country: z.decode(addressColumn, shipping_address).country },
    ]),
  );
}

/** When the last event of these kinds happened, by order id, in epoch milliseconds. */
export async function findLastEventTimes(
  db: Queries,
  orderIds: readonly string[],
  kinds: readonly OrderEventKind[],
): Promise<Map<string, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_events")
    .select((eb) => ["order_id", eb.fn.max<number>("at").as("at")])
    .where("order_id", "in", padKeys(orderIds))
    .where("kind", "in", kinds)
    .groupBy("order_id")
    .execute();
  return new Map(rows.map(({ order_id, at }) => [order_id, Number(at)]));
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
