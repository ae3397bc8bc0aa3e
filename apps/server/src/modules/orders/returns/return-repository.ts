import { openReturnStates, type ReturnState } from "@keepsats/domain";
import {
  MAX_OPEN_RETURNS,
  type OpenReturns,
  type OrderReturn,
  piecesSchema,
} from "@keepsats/protocol";
import type { Insertable, Updateable } from "kysely";
import * as z from "zod/mini";
import { padKeys, type Queries, type UnitOfWork } from "../../../platform/database/database.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { Order } from "../order.ts";
import { orderNumber } from "../order-number.ts";
import { findRefundLines } from "../refund-lines.ts";
import type { ReturnableOrder } from "./rules.ts";

const linesColumn = z.codec(z.string(), z.array(piecesSchema), {
  decode: (json) => JSON.parse(json),
  encode: (lines) => JSON.stringify(lines),
});

/** Reads the returns of orders, oldest first, by order id. */
async function findReturns(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, OrderReturn[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_returns")
    .selectAll()
    .where("order_id", "in", padKeys(orderIds))
    .orderBy("opened_at")
    .orderBy("id")
    .execute();
  return Map.groupBy(
    rows.map(({ lines, ...row }) => ({ ...row, lines: z.decode(linesColumn, lines) })),
    ({ order_id }) => order_id,
  );
}

/** Reads the returns of one order, oldest first. */
export async function findReturnsOfOrder(db: Queries, orderId: string): Promise<OrderReturn[]> {
  return (await findReturns(db, [orderId])).get(orderId) ?? [];
}

/** Reads what decides about the returns of orders that have shipped, by order id. */
export async function findReturnableOrders(
  db: Queries,
  orders: readonly Pick<Order, "id" | "status" | "items" | "erased_at">[],
): Promise<Map<string, ReturnableOrder>> {
  if (orders.length === 0) return new Map();
  const ids = orders.map(({ id }) => id);
  const returns = await findReturns(db, ids);
  const deliveries = await db
    .selectFrom("order_events")
    .select(["order_id", "at"])
    .where("order_id", "in", padKeys(ids))
    .where("to_status", "=", "Delivered")
    .where("kind", "=", "moved")
    .execute();
  const deliveredAt = new Map(deliveries.map(({ order_id, at }) => [order_id, at]));
  const refunded = await findRefundLines(db, ids);
  return new Map(
    orders.map((order) => [
      order.id,
      {
        ...order,
        deliveredAt: deliveredAt.get(order.id),
        returns: returns.get(order.id) ?? [],
        refunded: refunded.get(order.id) ?? [],
      },
    ]),
  );
}

type NewRow = Omit<Insertable<Tables["order_returns"]>, "lines" | "refund_id"> &
  Pick<OrderReturn, "lines">;

export async function insertReturn({ db }: UnitOfWork, { lines, ...row }: NewRow): Promise<void> {
  await db
    .insertInto("order_returns")
    .values({ ...row, lines: z.encode(linesColumn, lines) })
    .execute();
}

/** The caller has locked the order. */
export async function updateReturn(
  { db }: UnitOfWork,
  id: string,
  change: Updateable<Tables["order_returns"]>,
): Promise<void> {
  await db.updateTable("order_returns").set(change).where("id", "=", id).execute();
}

/** The number of returns in a state. */
export async function countReturns(db: Queries, state: ReturnState): Promise<number> {
  const { returns } = await db
    .selectFrom("order_returns")
    .select((eb) => eb.fn.countAll<number>().as("returns"))
    .where("state", "=", state)
    .executeTakeFirstOrThrow();
  return Number(returns);
}

/** The oldest open returns, at most {@link MAX_OPEN_RETURNS}. */
export async function listOpenReturns(db: Queries): Promise<OpenReturns["returns"]> {
  const rows = await db
    .selectFrom("order_returns as returned")
    .innerJoin("orders", "orders.id", "returned.order_id")
    .select([
      "returned.id",
      "returned.state",
      "returned.order_id",
      "returned.lines",
      "returned.opened_at",
      "returned.changed_at",
      "orders.customer_name",
      orderNumber,
    ])
    .where("returned.state", "in", openReturnStates)
    .orderBy("returned.opened_at")
    .orderBy("returned.id")
    .limit(MAX_OPEN_RETURNS)
    .execute();
  return rows.map(({ lines, number: order_number, ...row }) => ({
    ...row,
    order_number,
    item_count: z.decode(linesColumn, lines).reduce((sum, { quantity }) => sum + quantity, 0),
  }));
}
