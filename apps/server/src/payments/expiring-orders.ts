import { awaitsPayment, type OrderStatus, orderStatuses } from "@keepsats/domain";
import type { Queries } from "../db/database.ts";

/** An order that was placed long enough ago to expire; times in epoch milliseconds. */
export interface ExpiringOrder {
  readonly id: string;
  readonly status: OrderStatus;
  readonly version: number;
  readonly createdAt: number;
  /** When it was placed, or when its last payment attempt began or ended. */
  readonly waitsSince: number;
}

/** The statuses of orders that can expire. */
const expiringStatuses = orderStatuses.filter(awaitsPayment);

/** How many orders are read at a time. */
const GROUP = 50;

/** The part of the search that is read next; `after` is the last order of the part before. */
interface Part {
  readonly status: OrderStatus;
  readonly before: number;
  readonly after: Pick<ExpiringOrder, "createdAt" | "id"> | undefined;
}

/**
 * Reads, group by group, the orders that wait for money, were placed before a time, and are not known to have a loan under
 * way or money that does not pay them. Oldest first, one status after another.
 *
 * @param before in epoch milliseconds
 * @param after an order of an earlier, unfinished search, which is continued behind it
 */
export async function* expiringOrders(
  db: Queries,
  before: number,
  after?: ExpiringOrder,
): AsyncGenerator<ExpiringOrder> {
  const first = after === undefined ? 0 : expiringStatuses.indexOf(after.status);
  for (const status of expiringStatuses.slice(Math.max(0, first))) {
    let last = after?.status === status ? after : undefined;
    for (;;) {
      const group = await readGroup(db, { status, before, after: last });
      yield* group;
      last = group.at(-1);
      if (group.length < GROUP) break;
    }
  }
}

/** The query of one group, which the index `orders_by_status` answers. */
export function groupQuery(db: Queries, { status, before, after }: Part) {
  return db
    .selectFrom("orders")
    .select(["id", "version", "created_at as createdAt"])
    .where("status", "=", status)
    .where("created_at", "<", before)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("created_at", "id"), ">", tuple(after?.createdAt ?? 0, after?.id ?? "")),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("contracts")
            .select("contracts.id")
            .whereRef("contracts.order_id", "=", "orders.id")
            .where("contracts.meaning", "in", ["processing", "unknown", "paid"]),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("mismatches")
            .select("mismatches.kind")
            .whereRef("mismatches.order_id", "=", "orders.id")
            .where("mismatches.cents", ">", 0)
            .where("mismatches.resolved_at", "is", null),
        ),
      ),
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(GROUP);
}

async function readGroup(db: Queries, part: Part): Promise<ExpiringOrder[]> {
  const orders = await groupQuery(db, part).execute();
  if (orders.length === 0) return [];
  const moves = await db
    .selectFrom("order_events")
    .select((eb) => ["order_id", eb.fn.max("at").as("at")])
    .where(
      "order_id",
      "in",
      orders.map(({ id }) => id),
    )
    .where("kind", "in", ["placed", "moved", "attempt-over"])
    .groupBy("order_id")
    .execute();
  const movedAt = new Map(moves.map(({ order_id, at }) => [order_id, Number(at)]));
  return orders.map((order) => ({
    ...order,
    status: part.status,
    waitsSince: movedAt.get(order.id) ?? order.createdAt,
  }));
}
