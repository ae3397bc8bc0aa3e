import type { OrderStatus } from "@keepsats/domain";
import type { Queries } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import {
  type Cursor,
  isListed,
  type ListedOrder,
  type OrderFilter,
  type OrderSummary,
  type PageRequest,
} from "./order-filter.ts";
import { indexedOrders } from "./order-index.ts";
import { searchOrders } from "./search-orders.ts";

/** How the list with this filter is sorted. */
export function sortingOf({ changedSince, text, minTotal, maxTotal }: OrderFilter): Cursor["by"] {
  if (changedSince !== undefined) return "change";
  return text === undefined && minTotal === undefined && maxTotal === undefined
    ? "time"
    : "position";
}

/**
 * Reads a page of orders, newest first; with `changedSince` the least recently changed first. A
 * search and a list of changes have an order once it is in the index, which is about a second after
 * it was placed or changed.
 *
 * A list of changes omits nothing: whoever continues after its last order sees each later change,
 * because changes get their times one transaction after another (`order-index.ts`). An order that
 * changes again moves to the end.
 *
 * @throws if the cursor is of a list that is sorted otherwise
 */
export async function listOrders(
  db: Queries,
  filter: OrderFilter,
  { cursor, limit }: PageRequest,
): Promise<ListedOrder[]> {
  const by = sortingOf(filter);
  if (cursor !== undefined && cursor.by !== by) throw new Error(`the list is sorted by ${by}`);
  switch (by) {
    case "time":
      return newestOrders(db, filter, {
        cursor: cursor?.by === "time" ? cursor : undefined,
        limit,
      });
    case "change":
      return changedOrders(db, filter, {
        cursor: cursor?.by === "change" ? cursor : undefined,
        limit,
      });
    case "position":
      return searchOrders(db, filter, {
        cursor: cursor?.by === "position" ? cursor : undefined,
        limit,
      });
  }
}

/**
 * Reads the newest orders of each status by itself and puts them together: an index has the orders
 * of one status by time, and of all statuses by time, but not those of some.
 */
async function newestOrders(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest<"time">,
): Promise<ListedOrder[]> {
  if (filter.ids !== undefined) return ordersById(db, filter.ids, { filter, page });
  const found: OrderSummary[] = [];
  for (const status of filter.statuses ?? [undefined])
    found.push(...(await newestWithStatus(db, { ...filter, status }, page)));
  return pageByTime(found, page);
}

/** Reads the orders with these ids, and takes from them the page of a list. */
async function ordersById(
  db: Queries,
  ids: ReadonlySet<string>,
  { filter, page }: { readonly filter: OrderFilter; readonly page: PageRequest<"time"> },
): Promise<ListedOrder[]> {
  if (ids.size === 0) return [];
  const rows = await db
    .selectFrom("orders")
    .select(summaryColumns)
    .where("id", "in", padded([...ids]))
    .execute();
  const { cursor } = page;
  const isAfter = (order: OrderSummary) => cursor === undefined || byTime(cursor, order) < 0;
  const listed = rows.filter(
    (order) => isListed(filter, { ...order, words: "" }) && isAfter(order),
  );
  return pageByTime(listed, page);
}

const summaryColumns = [
  ...(["id", "status", "customer_name", "customer_email", "created_at"] as const),
  "total as total_price",
] as const;

/** Newest first. */
function byTime(one: TimeAndId, other: TimeAndId): number {
  if (one.created_at !== other.created_at) return other.created_at - one.created_at;
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}

type TimeAndId = Pick<OrderSummary, "created_at" | "id">;

function pageByTime(
  orders: readonly OrderSummary[],
  { limit }: PageRequest<"time">,
): ListedOrder[] {
  return orders
    .toSorted(byTime)
    .slice(0, limit)
    .map((order) => ({
      ...order,
      cursor: { by: "time", created_at: order.created_at, id: order.id },
    }));
}

async function newestWithStatus(
  db: Queries,
  { status, from, before }: OrderFilter & { readonly status: OrderStatus | undefined },
  { cursor, limit }: PageRequest<"time">,
): Promise<OrderSummary[]> {
  let query = db
    .selectFrom("orders")
    .select(summaryColumns)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (status !== undefined) query = query.where("status", "=", status);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (before !== undefined) query = query.where("created_at", "<", before);
  if (cursor !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("created_at", "id"), "<", tuple(cursor.created_at, cursor.id)),
    );
  }
  return query.execute();
}

/** How many changes one query reads; the filter is applied afterwards. */
const CHANGES_AT_A_TIME = 500;

async function changedOrders(
  db: Queries,
  filter: OrderFilter,
  { cursor, limit }: PageRequest<"change">,
): Promise<ListedOrder[]> {
  const found: ListedOrder[] = [];
  let after = cursor ?? { changed_at: filter.changedSince ?? 0, position: -1 };
  for (;;) {
    const rows = await changesAfter(db, after);
    for (const { words, position, ...order } of rows) {
      const { changed_at } = order;
      if (!isListed(filter, { ...order, words })) continue;
      found.push({ ...order, cursor: { by: "change", changed_at, position } });
      if (found.length >= limit) return found;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHANGES_AT_A_TIME) return found;
    after = last;
    await new Promise(setImmediate);
  }
}

function changesAfter(
  db: Queries,
  after: { readonly changed_at: number; readonly position: number },
) {
  return indexedOrders(db)
    .select("i.changed_at")
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("i.changed_at", "i.position"), ">", tuple(after.changed_at, after.position)),
    )
    .orderBy("i.changed_at")
    .orderBy("i.position")
    .limit(CHANGES_AT_A_TIME)
    .execute();
}
