import type { Cents, OrderStatus } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import type { Order, StoredStatus } from "./order.ts";
import { isNumbered, orderNumber } from "./order-number.ts";
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
  /** Oldest first instead of newest first. A list of changes has its own sorting. */
  readonly oldestFirst?: boolean | undefined;
}

/** One row of the list in the admin. */
export type OrderSummary = Pick<
  Order,
  "id" | "number" | "status" | "customer_name" | "customer_email" | "total_price" | "created_at"
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

function isFound({ words, idPrefix, number }: SearchedText, order: FilteredFields): boolean {
  if (number !== undefined && isNumbered(order.number, number)) return true;
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
  orderNumber,
] as const;

type SortKey = Pick<OrderSummary, "created_at" | "id">;

/** Compares orders by time: newest first, or oldest first. */
export function byTime({ oldestFirst = false }: OrderFilter) {
  const newestFirst = (one: SortKey, other: SortKey): number => {
    if (one.created_at !== other.created_at) return other.created_at - one.created_at;
    if (one.id === other.id) return 0;
    return one.id < other.id ? 1 : -1;
  };
  return (one: SortKey, other: SortKey) =>
    oldestFirst ? newestFirst(other, one) : newestFirst(one, other);
}

/** Returns a function that tells whether an order matches the filter and follows the cursor. */
export function isListedAfter(filter: OrderFilter, { cursor }: PageRequest<"time">) {
  const compare = byTime(filter);
  return (order: FilteredFields): boolean =>
    isListed(filter, order) && (cursor === undefined || compare(cursor, order) < 0);
}

/** All orders if `status` is `undefined`. */
type StatusFilter = Pick<OrderFilter, "from" | "before" | "oldestFirst"> & {
  readonly status: StoredStatus | undefined;
};

/**
 * The newest or oldest orders of one status, or of all. One index sorts the orders of each status by
 * time, and another one all orders; no index serves several statuses.
 */
export function queryByTime(
  db: Queries,
  { status, from, before, oldestFirst = false }: StatusFilter,
  { cursor, limit }: PageRequest<"time">,
) {
  const direction = oldestFirst ? "asc" : "desc";
  let query = db
    .selectFrom("orders")
    .orderBy("created_at", direction)
    .orderBy("id", direction)
    .limit(limit);
  if (status !== undefined) query = query.where("status", "=", status);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (before !== undefined) query = query.where("created_at", "<", before);
  if (cursor === undefined) return query;
  return query.where(({ eb, refTuple, tuple }) =>
    eb(refTuple("created_at", "id"), oldestFirst ? ">" : "<", tuple(cursor.created_at, cursor.id)),
  );
}

/** The queries of consecutive orders after a cursor, `limit` each; the last one may find fewer. */
export async function* batchesByTime(
  db: Queries,
  filter: StatusFilter,
  { cursor: start, limit }: PageRequest<"time">,
) {
  let cursor = start;
  for (;;) {
    const batch = queryByTime(db, filter, { cursor, limit });
    yield batch;
    const last = await batch
      .select(["created_at", "id"])
      .limit(1)
      .offset(limit - 1)
      .executeTakeFirst();
    if (last === undefined) return;
    cursor = { by: "time", ...last };
  }
}
