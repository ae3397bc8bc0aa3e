import { MAX_ORDER_IDS, type OrderPage } from "@keepsats/protocol";
import type { ChangedOrders } from "../../lib/changed-orders.ts";

export type OrderRow = OrderPage["orders"][number];

/** The orders of a filter that are loaded, newest first. */
export interface OrderList {
  readonly orders: readonly OrderRow[];
  /** Where "Show more" goes on; `null` at the end of the list. */
  readonly next_cursor: string | null;
  /**
   * The last order that was loaded: older ones come with "Show more". `undefined` at the end of the
   * list.
   */
  readonly end: OrderRow | undefined;
  /**
   * How many new orders at least are not in `orders`, because too many came at once. Otherwise 0.
   */
  readonly missed: number;
  /** When it was read, by `performance.now()`: later changes are not in it. */
  readonly readAt: number;
}

/** The parameters of a request besides the filter. */
export interface PageRequest {
  readonly cursor?: string | null;
  readonly limit?: number;
  readonly ids?: readonly string[];
}
type ReadPage = (request: PageRequest) => Promise<OrderPage>;

/**
 * What was read again: `asked` are the ids, and those that are not `answered` have left the list.
 */
export interface Reread {
  readonly asked: ReadonlySet<string>;
  readonly answered: readonly OrderRow[];
  readonly missed: number;
}

/** The most changed orders that are read by their ids; with more the list is read again. */
const MAX_NAMED = 2 * MAX_ORDER_IDS;
const MIN_PAGE = 50;
const MAX_PAGE = 200;

/** The list after its first page was read. */
export function firstList({ orders, next_cursor }: OrderPage, readAt: number): OrderList {
  const end = next_cursor === null ? undefined : orders.at(-1);
  return { orders, next_cursor, end, missed: 0, readAt };
}

/**
 * Reads again what may have changed: orders that are named, new ones among them, by their ids. If
 * nothing or too much is named, everything that is loaded, with what is new in it.
 *
 * @param read reads one page of the list
 */
export async function rereadList(
  list: OrderList,
  changed: ChangedOrders,
  read: ReadPage,
): Promise<Reread> {
  const isNamed = changed !== "all" && changed.size > 0 && changed.size <= MAX_NAMED;
  if (isNamed)
    return { asked: changed, answered: await readIds([...changed], read), missed: list.missed };
  const asked = new Set(list.orders.map(({ id }) => id));
  // What is missed is not looked for again until the list is shown afresh.
  const range = list.missed > 0 ? { orders: [], isJoined: true } : await readRange(list, read);
  const found = new Set(range.orders.map(({ id }) => id));
  const others = await readIds(
    [...asked].filter((id) => !found.has(id)),
    read,
  );
  if (range.isJoined) return { asked, answered: [...range.orders, ...others], missed: list.missed };
  return { asked, answered: others, missed: range.orders.length };
}

/**
 * Reads from the newest order down to the last one that is loaded, but at most one page more than
 * is loaded.
 *
 * @returns `isJoined`: whether it has come to an order that is loaded, so that there is no gap
 */
async function readRange({ orders, end }: OrderList, read: ReadPage) {
  const limit = Math.min(Math.max(orders.length, MIN_PAGE), MAX_PAGE);
  const known = new Set(orders.map(({ id }) => id));
  const range: OrderRow[] = [];
  let cursor: string | null | undefined;
  let isEnd: boolean;
  do {
    const page: OrderPage = await read({ limit, ...(cursor === undefined ? {} : { cursor }) });
    range.push(...page.orders);
    cursor = page.next_cursor;
    isEnd =
      cursor === null || page.orders.some((order) => order.id === end?.id || isOlder(order, end));
  } while (!isEnd && range.length < orders.length + limit);
  return { orders: range, isJoined: isEnd || range.some(({ id }) => known.has(id)) };
}

/**
 * Reads orders by their ids, which are in the order in which they were told. The later ones are
 * answered first: of the orders of one second, which is as exact as their times are, those that
 * were told later are newer.
 */
async function readIds(ids: readonly string[], read: ReadPage): Promise<readonly OrderRow[]> {
  const answered: (readonly OrderRow[])[] = [];
  for (let start = 0; start < ids.length; start += MAX_ORDER_IDS) {
    const some = ids.slice(start, start + MAX_ORDER_IDS);
    answered.unshift((await read({ ids: some, limit: MAX_ORDER_IDS })).orders);
  }
  return answered.flat();
}

/** The list with what was read again: known orders keep their places, new ones come to theirs. */
export function withReread(
  list: OrderList,
  { asked, answered, missed }: Reread,
  readAt: number,
): OrderList {
  const current = new Map(answered.map((order) => [order.id, order]));
  const known = new Set(list.orders.map(({ id }) => id));
  const kept = list.orders.flatMap(
    (order) => current.get(order.id) ?? (asked.has(order.id) ? [] : order),
  );
  const fresh = [...current.values()].filter(
    (order) => !known.has(order.id) && !isOlder(order, list.end),
  );
  return { ...list, orders: insert(kept, fresh.toSorted(newestFirst)), missed, readAt };
}

/** The list with its next page. */
export function withPage(list: OrderList, { orders, next_cursor }: OrderPage): OrderList {
  const known = new Set(list.orders.map(({ id }) => id));
  const current = new Map(orders.map((order) => [order.id, order]));
  const end = next_cursor === null ? undefined : (orders.at(-1) ?? list.end);
  return {
    ...list,
    orders: [
      ...list.orders.map((order) => current.get(order.id) ?? order),
      ...orders.filter(({ id }) => !known.has(id)),
    ],
    next_cursor,
    end,
  };
}

const newestFirst = (one: OrderRow, other: OrderRow) => other.created_at - one.created_at;

/**
 * Puts new orders above those of the same second, which is as exact as their times are. Both are
 * sorted, newest first.
 */
function insert(orders: readonly OrderRow[], fresh: readonly OrderRow[]): readonly OrderRow[] {
  if (fresh.length === 0) return orders;
  const merged: OrderRow[] = [];
  let next = 0;
  for (const order of orders) {
    for (
      let one = fresh[next];
      one !== undefined && one.created_at >= order.created_at;
      one = fresh[next]
    ) {
      merged.push(one);
      next += 1;
    }
    merged.push(order);
  }
  return [...merged, ...fresh.slice(next)];
}

/** Whether an order is certainly further down in the list. */
function isOlder(order: OrderRow, end: OrderRow | undefined): boolean {
  return end !== undefined && order.created_at < end.created_at;
}
