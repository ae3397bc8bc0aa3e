import type { OrderStatus } from "@keepsats/domain";
import type { Queries } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { isListed, type ListedOrder, type OrderFilter, type PageRequest } from "./order-filter.ts";
import { blockOf, indexedOrders, lastPosition } from "./order-index.ts";
import { dayWord, totalWord } from "./search-words.ts";

/** A range of words: from `first` on, before `end`. */
interface WordRange {
  readonly first: string;
  readonly end: string;
}

/** The most words that one query reads, unless they are of a single block. */
const MOST_WORDS = 1_000;
/** The most blocks that one query reads. */
const MOST_BLOCKS = 256;
/**
 * The most words of a search whose positions are read. The further ones are looked at in what these
 * have found.
 */
const MOST_RANGES = 3;
/** After all other texts: the last character of Unicode. */
const LAST = "\u{10ffff}";

/** Reads a page of the orders that a filter finds, newest first. */
export async function searchOrders(
  db: Queries,
  filter: OrderFilter,
  { cursor, limit }: PageRequest<"position">,
): Promise<ListedOrder[]> {
  const before = cursor?.position ?? (await lastPosition(db)) + 1;
  const few = await fewCandidates(db, filter);
  if (few !== undefined) {
    return read(db, filter, { positions: few.filter((position) => position < before), limit });
  }
  const byId = await positionsById(db, filter, before);
  const byWord = await searchBlocks(db, filter, { before, limit });
  const byBoth = [...byId, ...byWord.map(({ cursor: { position } }) => position)];
  return byId.length === 0 ? byWord : read(db, filter, { positions: byBoth, limit });
}

/**
 * The positions of all orders that have the ids, or a status and the time, of a filter, if these
 * are few.
 */
async function fewCandidates(db: Queries, filter: OrderFilter): Promise<number[] | undefined> {
  const { ids, statuses, from, before } = filter;
  if (ids !== undefined) return positionsOf(db, [...ids]);
  if (statuses === undefined && from === undefined && before === undefined) return undefined;
  const found: string[] = [];
  for (const status of statuses ?? [undefined]) {
    const orders = await ordersOfTime(db, { ...filter, status });
    found.push(...orders);
    if (found.length >= MOST_WORDS) return undefined;
  }
  return positionsOf(db, found);
}

/** The ids of at most {@link MOST_WORDS} orders with a status and of a time. */
async function ordersOfTime(
  db: Queries,
  { status, from, before }: OrderFilter & { readonly status: OrderStatus | undefined },
): Promise<string[]> {
  let query = db.selectFrom("orders").select("id").orderBy("created_at", "desc").limit(MOST_WORDS);
  if (status !== undefined) query = query.where("status", "=", status);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (before !== undefined) query = query.where("created_at", "<", before);
  return (await query.execute()).map(({ id }) => id);
}

async function positionsOf(db: Queries, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("order_index")
    .select("position")
    .where("order_id", "in", padded(ids))
    .execute();
  return rows.map(({ position }) => position);
}

async function positionsById(
  db: Queries,
  { text: { idPrefix } = { words: [] } }: OrderFilter,
  before: number,
): Promise<number[]> {
  if (idPrefix === undefined) return [];
  const rows = await db
    .selectFrom("order_index")
    .select("position")
    .where("order_id", ">=", idPrefix)
    .where("order_id", "<", idPrefix + LAST)
    .where("position", "<", before)
    .limit(MOST_WORDS)
    .execute();
  return rows.map(({ position }) => position);
}

/**
 * Searches the blocks from the newest to the oldest. One query reads few blocks while matches are
 * frequent and many while they are rare, so that neither takes long, and other requests are served
 * between two queries.
 */
async function searchBlocks(
  db: Queries,
  filter: OrderFilter,
  { before, limit }: { before: number; limit: number },
): Promise<FoundOrder[]> {
  const ranges = rangesOf(filter);
  if (ranges === undefined) return [];
  const found: FoundOrder[] = [];
  let size = 1;
  let next = blockOf(before - 1);
  while (next >= 0 && found.length < limit) {
    const blocks = Array.from({ length: Math.min(size, next + 1) }, (_, index) => next - index);
    const positions = await rarest(db, ranges, { blocks, before });
    if (positions === undefined) {
      size = Math.max(1, size / 4);
      continue;
    }
    found.push(...(await read(db, filter, { positions, limit: limit - found.length })));
    next -= blocks.length;
    size = Math.min(size * 4, MOST_BLOCKS);
    await new Promise(setImmediate);
  }
  return found;
}

/**
 * The ranges of words of which a listed order has one word each; longer words first, which are
 * rarer.
 *
 * @returns `undefined` if no order can be found by its words
 */
function rangesOf(filter: OrderFilter): WordRange[] | undefined {
  const { text, minTotal, maxTotal, from, before } = filter;
  if (text !== undefined && text.words.length === 0) return undefined;
  const words = (text?.words ?? []).toSorted((one, other) => other.length - one.length);
  return [
    ...words.slice(0, MOST_RANGES).map((first) => ({ first, end: first + LAST })),
    ...rangeOf(totalWord, minTotal, maxTotal),
    ...rangeOf(dayWord, from, before),
  ];
}

/** The range of words between two values, ends included; none if neither is given. */
function rangeOf(
  wordFor: (value: number) => string,
  least: number | undefined,
  most: number | undefined,
) {
  if (least === undefined && most === undefined) return [];
  const end = most === undefined ? wordFor(0).charAt(0) : wordFor(most);
  return [{ first: wordFor(least ?? 0), end: end + LAST }];
}

/**
 * The positions in some blocks that have a word of the range with the fewest.
 *
 * @returns `undefined` if these blocks have too many for one query
 */
async function rarest(
  db: Queries,
  ranges: readonly WordRange[],
  place: { readonly blocks: readonly number[]; readonly before: number },
): Promise<number[] | undefined> {
  let fewest: number[] | undefined;
  for (const range of ranges) {
    const positions = await positionsIn(db, range, place);
    if (positions === undefined) continue;
    if (fewest === undefined || positions.length < fewest.length) fewest = positions;
    if (fewest.length === 0) break;
  }
  return fewest;
}

async function positionsIn(
  db: Queries,
  { first, end }: WordRange,
  { blocks, before }: { readonly blocks: readonly number[]; readonly before: number },
): Promise<number[] | undefined> {
  const query = db
    .selectFrom("order_words")
    .select("position")
    .where("block", "in", padded(blocks))
    .where("word", ">=", first)
    .where("word", "<", end)
    .where("position", "<", before);
  const rows = await (blocks.length === 1 ? query : query.limit(MOST_WORDS)).execute();
  if (blocks.length > 1 && rows.length >= MOST_WORDS) return undefined;
  return [...new Set(rows.map(({ position }) => position))];
}

type FoundOrder = ListedOrder & { readonly cursor: { readonly by: "position" } };

/** Reads the orders at these positions that the filter lists, newest first. */
async function read(
  db: Queries,
  filter: OrderFilter,
  { positions, limit }: { positions: readonly number[]; limit: number },
): Promise<FoundOrder[]> {
  if (positions.length === 0) return [];
  const rows = await indexedOrders(db)
    .where("i.position", "in", padded(positions))
    .orderBy("i.position", "desc")
    .execute();
  return rows
    .filter((order) => isListed(filter, order))
    .slice(0, limit)
    .map(({ words: _, position, ...order }) => ({
      ...order,
      cursor: { by: "position", position },
    }));
}
