import type { OrderStatus } from "@keepsats/domain";
import type { Queries } from "../db/database.ts";
import type { OrderFilter, OrderSummary, PageRequest } from "./order-filter.ts";

export const summaryColumns = [
  ...(["id", "status", "customer_name", "customer_email", "created_at"] as const),
  "total as total_price",
] as const;

/** A place in a list of orders by time. */
type Place = Pick<OrderSummary, "created_at" | "id">;

/** Newest first. */
export function byTime(one: Place, other: Place): number {
  if (one.created_at !== other.created_at) return other.created_at - one.created_at;
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}

/** Whether an order follows the cursor of a page. */
export function isAfter({ cursor }: PageRequest<"time">, order: Place): boolean {
  return cursor === undefined || byTime(cursor, order) < 0;
}

/**
 * The query of the newest orders of one status, or of all. An index has the orders of one status by
 * time, and of all statuses by time, but not those of some.
 */
export function newestQuery(
  db: Queries,
  { status, from, before }: OrderFilter & { readonly status: OrderStatus | undefined },
  { cursor, limit }: PageRequest<"time">,
) {
  let query = db
    .selectFrom("orders")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (status !== undefined) query = query.where("status", "=", status);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (before !== undefined) query = query.where("created_at", "<", before);
  if (cursor === undefined) return query;
  return query.where(({ eb, refTuple, tuple }) =>
    eb(refTuple("created_at", "id"), "<", tuple(cursor.created_at, cursor.id)),
  );
}
