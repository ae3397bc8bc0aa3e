import { padKeys, type Queries } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import { findTitlesAndPictures } from "../../catalogue/index.ts";
import {
  byTime,
  type ChangeCursor,
  type Cursor,
  isListed,
  type ListedOrder,
  type OrderFilter,
  summaryColumns,
} from "./order-filter.ts";
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
  const orders = await searchOrders(db, filter, { cursor, limit });
  return orders
    .toSorted(byTime(filter))
    .slice(0, limit)
    .map(({ words, position, ...order }) => ({
      ...order,
      cursor: { by: "time", created_at: order.created_at, id: order.id },
    }));
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

const MAX_PICTURES = 3;

/**
 * Reads the number of pieces of orders, and the current pictures of their first lines, by the
 * order's id: three queries for any number. A deleted item has no picture.
 */
export async function readContents(
  db: Queries,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly item_count: number; readonly pictures: string[] }>> {
  if (orderIds.length === 0) return new Map();
  const lines = db.selectFrom("order_lines").where("order_id", "in", padKeys(orderIds));
  const sums = await lines
    .select(({ fn }) => ["order_id", fn.sum<number>("quantity").as("pieces")])
    .groupBy("order_id")
    .execute();
  const first = await lines
    .select(["order_id", "item_id"])
    .where("position", "<", MAX_PICTURES)
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  const items = await findTitlesAndPictures(db, [...new Set(first.map(({ item_id }) => item_id))]);
  const firstOf = Map.groupBy(first, ({ order_id }) => order_id);
  return new Map(
    sums.map(({ order_id, pieces }) => [
      order_id,
      {
        item_count: Number(pieces),
        pictures: (firstOf.get(order_id) ?? []).flatMap(
          ({ item_id }) => items.get(item_id)?.image_url ?? [],
        ),
      },
    ]),
  );
}
