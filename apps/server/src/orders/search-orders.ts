import { sql } from "kysely";
import type { Queries } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { isAfter, newestQuery, summaryColumns } from "./newest-orders.ts";
import {
  type FilteredFields,
  isListed,
  type OrderFilter,
  type OrderSummary,
  type PageRequest,
} from "./order-filter.ts";

/** How many of the newest orders are looked at before the index, for each order of the page. */
const NEWEST_PER_ROW = 40;
/** How many orders the index is asked for at a time. */
const AT_A_TIME = 1_000;
/** How many of the newest orders show which word of a search is rare. */
const SAMPLE = 500;
/** The most words of a search that are compared by it. */
const MOST_WORDS = 4;
/** The most orders that are found by the beginning of their ids. */
const MOST_IDS = 1_000;
/**
 * How many orders may have a lower position and a later time than another: those of one moment, and
 * of servers whose clocks differ.
 */
const DISORDER = 1_000;
/** After all other texts: the last character of Unicode. */
const LAST = "\u{10ffff}";

/**
 * Finds orders by their words or total. Words that most orders have are found among the newest
 * orders; only for the others is the full-text index asked, because it would name all orders that
 * have the word.
 *
 * @returns the orders of the page, in any order, and maybe further ones that follow them
 */
export async function searchOrders(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest<"time">,
): Promise<OrderSummary[]> {
  const byId = await foundById(db, filter, page);
  const byWords =
    (await foundAmongNewest(db, filter, page)) ?? (await foundByIndex(db, filter, page));
  return [...new Map([...byId, ...byWords].map((order) => [order.id, order])).values()];
}

async function foundById(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest<"time">,
): Promise<FilteredFields[]> {
  const idPrefix = filter.text?.idPrefix;
  if (idPrefix === undefined) return [];
  const rows = await db
    .selectFrom("orders")
    .select([...summaryColumns, "words"])
    .where("id", ">=", idPrefix)
    .where("id", "<", idPrefix + LAST)
    .limit(MOST_IDS)
    .execute();
  return rows.filter((order) => isListed(filter, order) && isAfter(page, order));
}

/**
 * Looks at some of the newest orders that have the status and the time of the filter.
 *
 * @returns `undefined` if they do not fill the page, and there are further ones
 */
async function foundAmongNewest(
  db: Queries,
  filter: OrderFilter,
  { cursor, limit }: PageRequest<"time">,
): Promise<OrderSummary[] | undefined> {
  const { statuses, text, minTotal, maxTotal } = filter;
  if (text?.words.length === 0) return [];
  const most = NEWEST_PER_ROW * limit;
  const found: OrderSummary[] = [];
  for (const status of statuses ?? [undefined]) {
    const newest = newestQuery(db, { ...filter, status }, { cursor, limit: most });
    let query = db
      .selectFrom(newest.select([...summaryColumns, "words"]).as("newest"))
      .selectAll()
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit);
    for (const word of text?.words ?? []) query = query.where("words", "like", `% ${word}%`);
    if (minTotal !== undefined) query = query.where("total_price", ">=", minTotal);
    if (maxTotal !== undefined) query = query.where("total_price", "<=", maxTotal);
    const some = await query.execute();
    const isFull = some.length >= limit;
    if (!isFull && (await newest.select("id").offset(most).executeTakeFirst())) return undefined;
    found.push(...some);
  }
  return found;
}

async function foundByIndex(
  db: Queries,
  filter: OrderFilter,
  page: PageRequest<"time">,
): Promise<FilteredFields[]> {
  const found: FilteredFields[] = [];
  const word = filter.text && (await rarestOf(db, filter.text.words));
  let below = await firstPositionAfter(db, page);
  for (;;) {
    const positions = await (word === undefined
      ? positionsByTotal(db, filter, below)
      : positionsByWord(db, word, below));
    if (positions.length === 0) return found;
    const rows = await db
      .selectFrom("orders")
      .select([...summaryColumns, "words"])
      .where("position", "in", padded(positions))
      .execute();
    found.push(...rows.filter((order) => isListed(filter, order) && isAfter(page, order)));
    if (positions.length < AT_A_TIME || found.length >= page.limit) return found;
    below = positions.at(-1) ?? 0;
    await new Promise(setImmediate);
  }
}

/** A position above those of all orders that follow the cursor. */
async function firstPositionAfter(db: Queries, { cursor }: PageRequest<"time">): Promise<number> {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const first = newestQuery(db, { status: undefined }, { cursor, limit: 1 }).select("position");
  return ((await first.executeTakeFirst())?.position ?? 0) + DISORDER;
}

/**
 * The word that the fewest orders have. The index is asked for this one alone: it would read all
 * positions of each word, and the orders of one word are few enough to look for the others in them.
 */
async function rarestOf(db: Queries, words: readonly string[]): Promise<string> {
  const [longest = "", ...others] = words.toSorted((one, other) => other.length - one.length);
  let rarest = { word: longest, orders: Number.POSITIVE_INFINITY };
  if (others.length === 0) return longest;
  const sample = newestQuery(db, { status: undefined }, { limit: SAMPLE }).select("words");
  for (const word of [longest, ...others].slice(0, MOST_WORDS)) {
    const { orders } = await db
      .selectFrom(sample.as("sample"))
      .select((eb) => eb.fn.countAll<number>().as("orders"))
      .where("words", "like", `% ${word}%`)
      .executeTakeFirstOrThrow();
    if (orders < rarest.orders) rarest = { word, orders };
  }
  return rarest.word;
}

/** The highest positions, below another one, of orders that have a word that begins with this. */
async function positionsByWord(db: Queries, word: string, below: number): Promise<number[]> {
  const { rows } = await sql<{ rowid: number }>`
    select rowid from order_search(${`${word}*`})
    where rowid < ${below} order by rowid desc limit ${AT_A_TIME}`.execute(db);
  return rows.map(({ rowid }) => rowid);
}

/** The highest positions, below another one, of orders with a total of the filter. */
async function positionsByTotal(
  db: Queries,
  { minTotal = 0, maxTotal = Number.MAX_SAFE_INTEGER }: OrderFilter,
  below: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom("orders")
    .select("position")
    .where("total", ">=", minTotal)
    .where("total", "<=", maxTotal)
    .where("position", "<", below)
    .orderBy("position", "desc")
    .limit(AT_A_TIME)
    .execute();
  return rows.map(({ position }) => position);
}
