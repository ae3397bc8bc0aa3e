import { sql } from "kysely";
import { padKeys, type Queries } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import { positionOf } from "../order-number.ts";
import {
  type FilteredFields,
  isListed,
  isListedAfter,
  type OrderFilter,
  type PageRequest,
  summaryColumns,
} from "./order-filter.ts";
import { queryByTime } from "./orders-by-time.ts";

/** How many of the first orders are scanned before an index is used, per order of the page. */
const SCANNED_PER_ROW = 40;
/** How many orders are read before yielding to the event loop. */
const ORDERS_PER_SCAN = 1_000;
/**
 * How many orders one query of the full-text index finds. Each makes SQLite and PostgreSQL read all
 * orders with the word.
 */
const ORDERS_PER_INDEX_QUERY = 20_000;
/** The orders of a status or a time are all scanned if they are at most so many. */
const SHORT_RANGE = 20_000;
/** How many of the newest orders are sampled to find the rarest word of a search. */
const SAMPLE = 500;
/** A total with as many orders is frequent: scanning finds some of them soon. */
const FREQUENT_TOTAL = 5_000;
/** The most orders that are found by a prefix of their ids. */
const MAX_IDS = 1_000;
/**
 * How many orders may have a lower position but a later time than another: concurrent orders, and
 * those of servers whose clocks differ.
 */
const DISORDER = 1_000;
/** The last character of Unicode, which sorts after all others. */
const LAST_CHARACTER = "\u{10ffff}";

const searchedColumns = [...summaryColumns, "words", "position"] as const;

interface SearchedOrder extends FilteredFields {
  readonly position: number;
}

/**
 * Finds the orders of a page by all conditions but `changedSince`. Frequent words and totals are
 * found among the first orders of the list. The indexes are used only for the others, because they
 * read all orders with the word or the total.
 *
 * @returns the orders of the page, in any order, and possibly some that follow them
 */
export async function searchOrders(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest,
): Promise<SearchedOrder[]> {
  if (filter.ids !== undefined) return findByIds(db, filter, page);
  const found = await findNamed(db, filter, page);
  if (filter.text?.words.length !== 0) {
    const scanned = await scan(db, filter, page, SCANNED_PER_ROW * page.limit);
    found.push(...scanned.orders);
    if (!scanned.isComplete) found.push(...(await findByIndex(db, filter, page)));
  }
  return [...new Map(found.map((order) => [order.id, order])).values()];
}

function selectOrders(db: Queries) {
  return db.selectFrom("orders").select(searchedColumns);
}

async function findByIds(db: Queries, filter: OrderFilter, page: PageRequest) {
  const ids = [...(filter.ids ?? [])];
  if (ids.length === 0) return [];
  const rows = await selectOrders(db).where("id", "in", padKeys(ids)).execute();
  return rows.filter(isListedAfter(filter, page));
}

/** Finds orders by a prefix of their id, and by their number. */
async function findNamed(db: Queries, filter: OrderFilter, page: PageRequest) {
  const { idPrefix, number } = filter.text ?? {};
  const named: SearchedOrder[] = [];
  if (idPrefix !== undefined) {
    const byId = selectOrders(db)
      .where("id", ">=", idPrefix)
      .where("id", "<", idPrefix + LAST_CHARACTER)
      .limit(MAX_IDS);
    named.push(...(await byId.execute()));
  }
  if (number !== undefined) {
    const byNumber = selectOrders(db).where("position", "=", positionOf(number));
    named.push(...(await byNumber.execute()));
  }
  return named.filter(isListedAfter(filter, page));
}

/**
 * Scans the orders with the filter's statuses and times, in the order of the list. The result is
 * complete if the orders fill the page, or no other order matches.
 *
 * @param maxScanned about how many of each status
 */
async function scan(
  db: Queries,
  filter: OrderFilter,
  { cursor, limit }: PageRequest,
  maxScanned = Number.POSITIVE_INFINITY,
): Promise<{ readonly orders: SearchedOrder[]; readonly isComplete: boolean }> {
  const { statuses, text, minTotal, maxTotal } = filter;
  const isSearch = text !== undefined || minTotal !== undefined || maxTotal !== undefined;
  const size = isSearch ? ORDERS_PER_SCAN : limit;
  const orders: SearchedOrder[] = [];
  let isComplete = true;
  for (const status of statuses ?? [undefined]) {
    const batches = readInBatches<SearchedOrder>(size, (last) =>
      queryByTime(db, { ...filter, status }, { cursor: last ?? cursor, limit: size })
        .select(searchedColumns)
        .execute(),
    );
    const matches: SearchedOrder[] = [];
    let scanned = 0;
    for await (const batch of batches) {
      matches.push(...batch.filter((order) => isListed(filter, order)));
      scanned += size;
      if (matches.length >= limit || batch.length < size) break;
      if (scanned >= maxScanned) {
        isComplete = false;
        break;
      }
      await new Promise(setImmediate);
    }
    orders.push(...matches);
  }
  return { orders, isComplete };
}

async function findByIndex(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest,
): Promise<SearchedOrder[]> {
  if (await isShortRange(db, filter)) return (await scan(db, filter, page)).orders;
  const withTotal = await findByTotal(db, filter);
  if (withTotal !== undefined) return withTotal.filter(isListedAfter(filter, page));
  const rarest = await findRarest(db, filter.text?.words ?? []);
  return rarest === undefined
    ? (await scan(db, filter, page)).orders
    : findByWord(db, rarest, filter, page);
}

async function isShortRange(db: Queries, filter: OrderFilter): Promise<boolean> {
  const { statuses, from } = filter;
  if (statuses === undefined && from === undefined) return false;
  for (const status of statuses ?? [undefined]) {
    const range = queryByTime(db, { ...filter, status }, { limit: 1 });
    if (await range.select("id").offset(SHORT_RANGE).executeTakeFirst()) return false;
  }
  return true;
}

/**
 * The word that the fewest of the newest orders have, and among equals the longest. The index is
 * queried for it alone: for several words it would read all orders with each of them.
 */
async function findRarest(db: Queries, words: readonly string[]): Promise<string | undefined> {
  if (words.length < 2) return words[0];
  const newest = queryByTime(db, { status: undefined }, { limit: SAMPLE });
  const sample = await newest.select("words").execute();
  const counted = words.map((word) => ({
    word,
    orders: sample.filter((order) => order.words.includes(` ${word}`)).length,
  }));
  const [rarest] = counted.toSorted(
    (one, other) => one.orders - other.orders || other.word.length - one.word.length,
  );
  return rarest?.word;
}

/** The orders with the filter's total; `undefined` if there are too many, or it has none. */
async function findByTotal(
  db: Queries,
  { minTotal, maxTotal }: OrderFilter,
): Promise<SearchedOrder[] | undefined> {
  if (minTotal === undefined && maxTotal === undefined) return undefined;
  const orders = await selectOrders(db)
    .where("total", ">=", minTotal ?? 0)
    .where("total", "<=", maxTotal ?? Number.MAX_SAFE_INTEGER)
    .limit(FREQUENT_TOTAL)
    .execute();
  return orders.length < FREQUENT_TOTAL ? orders : undefined;
}

/**
 * Queries the full-text index, and applies the rest of the filter to the orders found. It begins
 * with the newest or oldest order, not at the cursor, so that an order with a time out of sequence
 * is on one of the pages.
 */
async function findByWord(
  db: Queries,
  word: string,
  filter: OrderFilter,
  page: PageRequest,
): Promise<SearchedOrder[]> {
  const { oldestFirst = false } = filter;
  const found: SearchedOrder[] = [];
  const batches = readInBatches<number>(ORDERS_PER_INDEX_QUERY, (last) =>
    positionsByWord(db, word, last, filter),
  );
  for await (const positions of batches)
    for (const slice of slices(positions, ORDERS_PER_SCAN)) {
      const orders = await selectOrders(db).where("position", "in", padKeys(slice)).execute();
      found.push(...orders.filter(isListedAfter(filter, page)));
      const last = slice.at(-1) ?? 0;
      const certain = found.filter(({ position }) =>
        oldestFirst ? position <= last - DISORDER : position >= last + DISORDER,
      );
      if (certain.length >= page.limit) return found;
      await new Promise(setImmediate);
    }
  return found;
}

/** The next positions, in the order of the list, of orders that have a word with this prefix. */
async function positionsByWord(
  db: Queries,
  word: string,
  last: number | undefined,
  { oldestFirst = false }: OrderFilter,
): Promise<number[]> {
  const comparison = oldestFirst ? sql`>` : sql`<`;
  const direction = oldestFirst ? sql`asc` : sql`desc`;
  const after = last ?? (oldestFirst ? -1 : Number.MAX_SAFE_INTEGER);
  // SQLite binds numbers as REAL, and FTS5 would then not skip the other row ids.
  const { rows } = await sql<{ rowid: number }>`
    select rowid from order_search(${`${word}*`})
    where rowid ${comparison} ${BigInt(after)}
    order by rowid ${direction} limit ${ORDERS_PER_INDEX_QUERY}`.execute(db);
  return rows.map(({ rowid }) => rowid);
}
