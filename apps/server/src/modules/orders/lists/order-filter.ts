import { type Cents, formatOrderNumber, type OrderStatus } from "@keepsats/domain";
import type { Order } from "../order.ts";
import { orderNumber } from "../order-number.ts";
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

/** The position of an order in a list by time, in epoch milliseconds. */
export interface TimeCursor {
  readonly by: "time";
  readonly created_at: number;
  readonly id: string;
}

/** The position of an order in a list of changes; `updated_at` is in epoch milliseconds. */
export interface ChangeCursor {
  readonly by: "change";
  readonly updated_at: number;
  readonly position: number;
}

export type Cursor = TimeCursor | ChangeCursor;

/** `updated_at` (epoch milliseconds) is present in lists of changes. */
export interface ListedOrder extends OrderSummary {
  readonly cursor: Cursor;
  readonly updated_at?: number;
}

/** A page of a list by time: at most `limit` orders after `cursor`. */
export interface PageRequest {
  readonly cursor?: SortKey | undefined;
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
  if (number !== undefined && order.number === formatOrderNumber(number)) return true;
  if (idPrefix !== undefined && order.id.startsWith(idPrefix)) return true;
  return words.length > 0 && words.every((word) => order.words.includes(` ${word}`));
}

export const summaryColumns = [
  ...(["id", "status", "customer_name", "customer_email", "created_at"] as const),
  "total as total_price",
  orderNumber,
] as const;

type SortKey = Pick<Order, "created_at" | "id">;

/** Compares orders by time: newest first, or oldest first. */
export function byTime({ oldestFirst = false }: OrderFilter) {
  const sign = oldestFirst ? 1 : -1;
  return (one: SortKey, other: SortKey): number => {
    if (one.created_at !== other.created_at) return sign * (one.created_at - other.created_at);
    if (one.id === other.id) return 0;
    return one.id < other.id ? -sign : sign;
  };
}

/** Returns a function that tells whether an order matches the filter and follows the cursor. */
export function isListedAfter(filter: OrderFilter, { cursor }: PageRequest) {
  const compare = byTime(filter);
  return (order: FilteredFields): boolean =>
    isListed(filter, order) && (cursor === undefined || compare(cursor, order) < 0);
}
