import type { Cents, OrderStatus } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import type { Order } from "./order.ts";
import type { SearchedText } from "./search-words.ts";

/** The conditions of a list of orders; all must hold. Times are epoch milliseconds. */
export interface OrderFilter {
  /** Orders with one of these statuses. */
  readonly statuses?: readonly OrderStatus[] | undefined;
  /** Only these orders. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** Placed at this time or later. */
  readonly from?: number | undefined;
  /** Placed before this time. */
  readonly before?: number | undefined;
  readonly minTotal?: Cents | undefined;
  readonly maxTotal?: Cents | undefined;
  readonly text?: SearchedText | undefined;
  /** Changed at this time or later. */
  readonly changedSince?: number | undefined;
}

/** One row of the list in the admin. */
export type OrderSummary = Pick<
  Order,
  "id" | "status" | "customer_name" | "customer_email" | "total_price" | "created_at"
>;

/**
 * The position of an order in a list, by the time of the order or of its last change. Times are
 * epoch milliseconds.
 */
export type Cursor =
  | { readonly by: "time"; readonly created_at: number; readonly id: string }
  | { readonly by: "change"; readonly updated_at: number; readonly position: number };

/** `updated_at` (epoch milliseconds) is present in lists of changes. */
export interface ListedOrder extends OrderSummary {
  readonly cursor: Cursor;
  readonly updated_at?: number;
}

/** A page: at most `limit` orders after `cursor`. */
export interface PageRequest<By extends Cursor["by"] = Cursor["by"]> {
  readonly cursor?: Extract<Cursor, { by: By }> | undefined;
  readonly limit: number;
}

/** The fields that a filter compares. `words` has a blank before each word. */
export interface FilteredFields extends OrderSummary {
  readonly words: string;
}

/** Whether an order matches a filter. `changedSince` is ignored: it is where a list begins. */
export function isListed(filter: OrderFilter, order: FilteredFields): boolean {
  const { ids, statuses, from, before, minTotal, maxTotal, text } = filter;
  return (
    (ids === undefined || ids.has(order.id)) &&
    (statuses === undefined || statuses.some((status) => status === order.status)) &&
    (from === undefined || order.created_at >= from) &&
    (before === undefined || order.created_at < before) &&
    (minTotal === undefined || order.total_price >= minTotal) &&
    (maxTotal === undefined || order.total_price <= maxTotal) &&
    (text === undefined || isFound(text, order))
  );
}

function isFound({ words, idPrefix }: SearchedText, order: FilteredFields): boolean {
  if (idPrefix !== undefined && order.id.startsWith(idPrefix)) return true;
  return words.length > 0 && words.every((word) => order.words.includes(` ${word}`));
}

/** How the list with this filter is sorted. */
export function sortingOf({ changedSince }: OrderFilter): Cursor["by"] {
  return changedSince === undefined ? "time" : "change";
}

export const summaryColumns = [
  ...(["id", "status", "customer_name", "customer_email", "created_at"] as const),
  "total as total_price",
] as const;

type Place = Pick<OrderSummary, "created_at" | "id">;

/** Newest first. */
export function byTime(one: Place, other: Place): number {
  if (one.created_at !== other.created_at) return other.created_at - one.created_at;
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}

/** Whether an order comes after the cursor of a page. */
export function isAfter({ cursor }: PageRequest<"time">, order: Place): boolean {
  return cursor === undefined || byTime(cursor, order) < 0;
}

/**
 * The newest orders of one status, or of all. One index sorts the orders of each status by time,
 * and another one all orders; no index serves several statuses.
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
