import type { Cents, OrderStatus } from "@keepsats/domain";
import type { Order } from "./order.ts";
import type { SearchedText } from "./search-words.ts";

/**
 * Which orders a list has. All conditions that are given must hold. Times are epoch milliseconds.
 */
export interface OrderFilter {
  /** Orders that have one of these statuses. */
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

/** One row of the merchant's list. */
export type OrderSummary = Pick<
  Order,
  "id" | "status" | "customer_name" | "customer_email" | "total_price" | "created_at"
>;

/**
 * The place of an order in a list: by the time of the order, or by the time of its last change.
 * Times are epoch milliseconds.
 */
export type Cursor =
  | { readonly by: "time"; readonly created_at: number; readonly id: string }
  | { readonly by: "change"; readonly updated_at: number; readonly position: number };

/** An order of a list. `updated_at` (epoch milliseconds) is there in lists of changes. */
export interface ListedOrder extends OrderSummary {
  readonly cursor: Cursor;
  readonly updated_at?: number;
}

/** A page: at most `limit` orders after `cursor`. */
export interface PageRequest<By extends Cursor["by"] = Cursor["by"]> {
  readonly cursor?: Extract<Cursor, { by: By }> | undefined;
  readonly limit: number;
}

/** What a filter looks at. `words`: with a blank before each. */
export interface FilteredFields extends OrderSummary {
  readonly words: string;
}

/**
 * Whether an order is in a list. `changedSince` is not looked at: it decides where a list begins.
 */
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
