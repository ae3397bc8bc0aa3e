import type { Queries } from "../../platform/database/database.ts";
import { padKeys } from "../../platform/database/in-clause.ts";
import { readInBatches } from "../../platform/database/read-in-batches.ts";
import {
  byTime,
  type ChangeCursor,
  type Cursor,
  isListed,
  isListedAfter,
  type ListedOrder,
  type OrderFilter,
  type OrderSummary,
  type PageRequest,
  summaryColumns,
} from "./order-filter.ts";
import { queryByTime } from "./orders-by-time.ts";
import { searchOrders } from "./search-orders.ts";

/**
 * Returns a page of orders, newest first unless the filter sorts them otherwise; with `changedSince`
 * the least recently changed first.
 *
 * @throws if the cursor belongs to a list with another sorting
 */
export async function listOrders(
  db: Queries,
  filter: OrderFilter,
  { cursor, limit }: { readonly cursor?: Cursor | undefined; readonly limit: number },
): Promise<ListedOrder[]> {
  if (filter.changedSince !== undefined) {
    if (cursor?.by === "time") throw new Error("a cursor by time in a list of changes");
    return listChangedOrders(db, filter, cursor, limit);
  }
  if (cursor?.by === "change") throw new Error("a cursor of a list of changes in a list by time");
  const orders = await readByTime(db, filter, { cursor, limit });
  return orders
    .toSorted(byTime(filter))
    .slice(0, limit)
    .map((order) => ({
      ...order,
      cursor: { by: "time", created_at: order.created_at, id: order.id },
    }));
}

/** Returns the orders of a page, in any order, and possibly some that follow them. */
async function readByTime(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest,
): Promise<OrderSummary[]> {
  const { ids, statuses, text, minTotal, maxTotal } = filter;
  if (ids !== undefined) {
    if (ids.size === 0) return [];
    const rows = await db
      .selectFrom("orders")
      .select([...summaryColumns, "words"])
      .where("id", "in", padKeys([...ids]))
      .execute();
    return rows.filter(isListedAfter(filter, page));
  }
  if (text !== undefined || minTotal !== undefined || maxTotal !== undefined)
    return searchOrders(db, filter, page);
  const found: OrderSummary[] = [];
  for (const status of statuses ?? [undefined]) {
    const query = queryByTime(db, { ...filter, status }, page);
    found.push(...(await query.select(summaryColumns).execute()));
  }
  return found;
}

/** How many changes one query reads. The filter is applied afterwards. */
const MAX_CHANGES_PER_BATCH = 500;
/**
 * How long before the requested time a list of changes begins, in milliseconds. A change is
 * timestamped before its commit, by the clock of one of several servers, so a later commit may have
 * an earlier time.
 */
const CHANGES_OVERLAP = 60_000;

async function listChangedOrders(
  db: Queries,
  filter: OrderFilter,
  cursor: ChangeCursor | undefined,
  limit: number,
): Promise<ListedOrder[]> {
  const found: ListedOrder[] = [];
  const since = (filter.changedSince ?? 0) - CHANGES_OVERLAP;
  const start = cursor ?? { updated_at: since, position: -1 };
  const batches = readInBatches(
    MAX_CHANGES_PER_BATCH,
    (last: Omit<ChangeCursor, "by"> | undefined) => changesAfter(db, last ?? start),
  );
  for await (const rows of batches) {
    for (const { words, position, ...order } of rows) {
      const { updated_at } = order;
      if (!isListed(filter, { ...order, words })) continue;
      found.push({ ...order, cursor: { by: "change", updated_at, position } });
      if (found.length >= limit) return found;
    }
    await new Promise(setImmediate);
  }
  return found;
}

function changesAfter(db: Queries, after: Omit<ChangeCursor, "by">) {
  return db
    .selectFrom("orders")
    .select([...summaryColumns, "updated_at", "position", "words"])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("updated_at", "position"), ">", tuple(after.updated_at, after.position)),
    )
    .orderBy("updated_at")
    .orderBy("position")
    .limit(MAX_CHANGES_PER_BATCH)
    .execute();
}
