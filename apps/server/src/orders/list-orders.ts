import type { Queries } from "../db/database.ts";
import {
  type Cursor,
  isListed,
  type ListedOrder,
  type OrderFilter,
  type PageRequest,
} from "./order-filter.ts";
import { indexedOrders } from "./order-index.ts";
import { searchOrders } from "./search-orders.ts";

/** How the list with this filter is sorted. */
export function sortingOf({ changedSince, text, minTotal, maxTotal }: OrderFilter): Cursor["by"] {
  if (changedSince !== undefined) return "change";
  return text === undefined && minTotal === undefined && maxTotal === undefined ? "time" : "position";
}

/**
 * Reads a page of orders, newest first; with `changedSince` the least recently changed first. A search and a list of changes
 * have an order once it is in the index, which is about a second after it was placed or changed.
 *
 * A list of changes omits nothing: whoever continues after its last order sees each later change, because changes get their
 * times one transaction after another (`order-index.ts`). An order that changes again moves to the end.
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
      return newestOrders(db, filter, { cursor: cursor?.by === "time" ? cursor : undefined, limit });
    case "change":
      return changedOrders(db, filter, { cursor: cursor?.by === "change" ? cursor : undefined, limit });
    case "position":
      return searchOrders(db, filter, { cursor: cursor?.by === "position" ? cursor : undefined, limit });
  }
}

async function newestOrders(
  db: Queries,
  { status, from, before }: OrderFilter,
  { cursor, limit }: PageRequest<"time">,
): Promise<ListedOrder[]> {
  let query = db
    .selectFrom("orders")
    .select(["id", "status", "customer_name", "customer_email", "total as total_price", "created_at"])
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
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, cursor: { by: "time", created_at: row.created_at, id: row.id } }));
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

function changesAfter(db: Queries, after: { readonly changed_at: number; readonly position: number }) {
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
