import { type SelectQueryBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { padKeys } from "../../platform/database/in-clause.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { slices } from "../../platform/scheduling/slices.ts";
import {
  type FilteredFields,
  isListedAfter,
  type OrderFilter,
  type OrderSummary,
  type PageRequest,
  summaryColumns,
} from "./order-filter.ts";
import { numbersAfter, positionOf } from "./order-number.ts";
import { batchesByTime, queryByTime } from "./orders-by-time.ts";

/** How many of the first orders are scanned before an index is used, per order of the page. */
const SCANNED_PER_ROW = 40;
/** How many orders are scanned before yielding to the event loop. */
const ORDERS_PER_SCAN = 1_000;
/**
 * The first and the largest limit of an index query. Each query makes SQLite and PostgreSQL read
 * all orders with the word.
 */
const FIRST_READ = 5_000;
const MAX_ORDERS_PER_READ = 80_000;
/** A range of status and time with at most so many orders is scanned instead of a frequent word. */
const SHORT_RANGE = 50_000;
/** How many of the newest orders are sampled to find the rarest word of a search. */
const SAMPLE = 500;
/** The most orders that are found by a prefix of their ids, or of their numbers of one length. */
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
 * Finds orders by their id, number, words or total. Frequent words are found among the first orders
 * of the list. The index is used only for other words, because it reads all orders with the word.
 *
 * @returns the orders of the page, in any order, and possibly some that follow them
 */
export async function searchOrders(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest,
): Promise<OrderSummary[]> {
  const found: OrderSummary[] = [
    ...(await findById(db, filter, page)),
    ...(await findByNumber(db, filter, page)),
  ];
  if (filter.text?.words.length !== 0) {
    const scanned = await findByTime(db, filter, page, SCANNED_PER_ROW * page.limit);
    found.push(...scanned.orders);
    if (!scanned.isComplete) found.push(...(await findByIndex(db, filter, page)));
  }
  return [...new Map(found.map((order) => [order.id, order])).values()];
}

async function findById(db: Queries, filter: OrderFilter, page: PageRequest) {
  const idPrefix = filter.text?.idPrefix;
  if (idPrefix === undefined) return [];
  const rows = await db
    .selectFrom("orders")
    .select([...summaryColumns, "words"])
    .where("id", ">=", idPrefix)
    .where("id", "<", idPrefix + LAST_CHARACTER)
    .limit(MAX_IDS)
    .execute();
  return rows.filter(isListedAfter(filter, page));
}

async function findByNumber(db: Queries, filter: OrderFilter, page: PageRequest) {
  const number = filter.text?.number;
  if (number === undefined) return [];
  const found: FilteredFields[] = [];
  // The order with exactly this number, or else the newest ones whose numbers begin with it.
  for (const { from, to } of [{ from: number, to: number }, ...numbersAfter(number)]) {
    const rows = await db
      .selectFrom("orders")
      .select([...summaryColumns, "words"])
      .where("position", ">=", positionOf(from))
      .where("position", "<=", positionOf(to))
      .orderBy("position", "desc")
      .limit(MAX_IDS)
      .execute();
    found.push(...rows);
    if (from === number && rows.length > 0) break;
  }
  return found.filter(isListedAfter(filter, page));
}

/**
 * Scans the orders with the filter's statuses and times, in the order of the list. The result is
 * complete if the orders fill the page, or no other order matches.
 *
 * @param maxScanned about how many of each status
 */
async function findByTime(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest,
  maxScanned = Number.POSITIVE_INFINITY,
): Promise<{ readonly orders: OrderSummary[]; readonly isComplete: boolean }> {
  const orders: OrderSummary[] = [];
  const batches = { cursor: page.cursor, limit: ORDERS_PER_SCAN };
  let isComplete = true;
  for (const status of filter.statuses ?? [undefined]) {
    let missing = page.limit;
    let scanned = 0;
    for await (const batch of batchesByTime(db, { ...filter, status }, batches)) {
      if (scanned >= maxScanned) {
        isComplete = false;
        break;
      }
      const matches = await matchesOf(db, batch.select(searchedColumns), filter)
        .limit(missing)
        .execute();
      orders.push(...matches);
      missing -= matches.length;
      if (missing === 0) break;
      scanned += ORDERS_PER_SCAN;
      await new Promise(setImmediate);
    }
  }
  return { orders, isComplete };
}

/** Selects those orders that have the words and the total of the filter. */
function matchesOf(
  db: Queries,
  orders: SelectQueryBuilder<Tables, "orders", SearchedOrder>,
  { text, minTotal, maxTotal, oldestFirst = false }: OrderFilter,
) {
  const direction = oldestFirst ? "asc" : "desc";
  let query = db
    .selectFrom(orders.as("scanned"))
    .selectAll()
    .orderBy("created_at", direction)
    .orderBy("id", direction);
  for (const word of text?.words ?? []) query = query.where("words", "like", `% ${word}%`);
  if (minTotal !== undefined) query = query.where("total_price", ">=", minTotal);
  if (maxTotal !== undefined) query = query.where("total_price", "<=", maxTotal);
  return query;
}

/**
 * Queries the index of totals, or the full-text index for the rarest word, and applies the rest of
 * the filter to the orders found. It begins with the newest or oldest order, not at the cursor, so
 * that an order with a time out of sequence is on one of the pages.
 */
async function findByIndex(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest,
): Promise<readonly OrderSummary[]> {
  const byTotal = await positionsByTotal(db, filter);
  if (byTotal === undefined && filter.text === undefined)
    return (await findByTime(db, filter, page)).orders;
  const word = byTotal === undefined ? await findRarest(db, filter.text?.words ?? []) : "";
  const found: SearchedOrder[] = [];
  const { oldestFirst = false } = filter;
  let after = oldestFirst ? -1 : Number.MAX_SAFE_INTEGER;
  let limit = FIRST_READ;
  for (;;) {
    const positions = byTotal ?? (await positionsByWord(db, word, after, filter, limit));
    if (positions.length === FIRST_READ && (await isShortRange(db, filter)))
      return (await findByTime(db, filter, page)).orders;
    for (const slice of slices(positions, ORDERS_PER_SCAN)) {
      const orders = db.selectFrom("orders").where("position", "in", padKeys(slice));
      const matches = await matchesOf(db, orders.select(searchedColumns), filter).execute();
      found.push(...matches.filter(isListedAfter(filter, page)));
      const last = slice.at(-1) ?? after;
      const certain = found.filter(({ position }) =>
        oldestFirst ? position <= last - DISORDER : position >= last + DISORDER,
      );
      after = last;
      if (certain.length >= page.limit) return found;
      await new Promise(setImmediate);
    }
    if (positions.length < limit) return found;
    limit = Math.min(limit * 4, MAX_ORDERS_PER_READ);
  }
}

async function isShortRange(db: Queries, filter: OrderFilter): Promise<boolean> {
  if (filter.statuses === undefined && filter.from === undefined) return false;
  for (const status of filter.statuses ?? [undefined]) {
    const range = queryByTime(db, { ...filter, status }, { limit: 1 });
    if (await range.select("id").offset(SHORT_RANGE).executeTakeFirst()) return false;
  }
  return true;
}

/** Returns the positions of the orders with the filter's total, in the order of the list, if few. */
async function positionsByTotal(
  db: Queries,
  { minTotal, maxTotal, oldestFirst = false }: OrderFilter,
): Promise<number[] | undefined> {
  if (minTotal === undefined && maxTotal === undefined) return undefined;
  const rows = await db
    .selectFrom("orders")
    .select("position")
    .where("total", ">=", minTotal ?? 0)
    .where("total", "<=", maxTotal ?? Number.MAX_SAFE_INTEGER)
    .limit(FIRST_READ)
    .execute();
  if (rows.length === FIRST_READ) return undefined;
  return rows
    .map(({ position }) => position)
    .toSorted((one, other) => (oldestFirst ? one - other : other - one));
}

/**
 * Returns the word that occurs in the fewest of the newest orders, and among equals the longest.
 * The index is queried for this word alone: for several words it would read all positions of each.
 */
async function findRarest(db: Queries, words: readonly string[]): Promise<string> {
  const newest = queryByTime(db, { status: undefined }, { limit: SAMPLE });
  const sample = words.length < 2 ? [] : await newest.select("words").execute();
  const counted = words.map((word) => ({
    word,
    orders: sample.filter((order) => order.words.includes(` ${word}`)).length,
  }));
  const [rarest] = counted.toSorted(
    (one, other) => one.orders - other.orders || other.word.length - one.word.length,
  );
  return rarest?.word ?? "";
}

/**
 * Returns the next positions, in the order of the list, of orders that have a word with this
 * prefix.
 */
async function positionsByWord(
  db: Queries,
  word: string,
  after: number,
  { oldestFirst = false }: OrderFilter,
  limit: number,
): Promise<number[]> {
  const comparison = oldestFirst ? sql`>` : sql`<`;
  const direction = oldestFirst ? sql`asc` : sql`desc`;
  // SQLite binds numbers as REAL, and FTS5 would then not skip the other row ids.
  const { rows } = await sql<{ rowid: number }>`
    select rowid from order_search(${`${word}*`})
    where rowid ${comparison} ${BigInt(after)} order by rowid ${direction} limit ${limit}`.execute(
    db,
  );
  return rows.map(({ rowid }) => rowid);
}
