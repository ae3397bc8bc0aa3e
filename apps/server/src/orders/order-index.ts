import type { Insertable } from "kysely";
import * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { readFact, removeFact, writeFact } from "../db/facts.ts";
import { padded } from "../db/in-groups.ts";
import type { Tables } from "../db/tables.ts";
import { countOrders, isAnyToCount, storeCounts } from "./count-orders.ts";
import { addToFigures, type Counted, readContributions } from "./order-figures.ts";
import { dayWord, totalWord, wordsOf } from "./search-words.ts";

/** How many consecutive positions of the index share a block of words. */
const BLOCK = 1_024;
/** The most rows of one statement; databases limit the number of its parameters. */
const ROWS_PER_STATEMENT = 1_000;
const LOCK = "order index";

/** The block of a position. */
export function blockOf(position: number): number {
  return Math.floor(position / BLOCK);
}

/** What the index contains of an order; the total in cents, the time in epoch milliseconds. */
interface IndexedFields {
  readonly id: string;
  readonly customer_name: string;
  readonly customer_email: string;
  readonly status: string;
  readonly total: number;
  readonly created_at: number;
  readonly items: readonly { readonly item_id: string; readonly name: string }[];
}

/** The text of the column `words`: with a blank before each word. */
function wordsColumn({ customer_name, customer_email, items }: IndexedFields): string {
  const texts = [
    customer_name,
    customer_email,
    ...items.flatMap(({ name, item_id }) => [name, item_id]),
  ];
  return wordsOf(texts.join(" "))
    .map((word) => ` ${word}`)
    .join("");
}

function wordRows(position: number, words: string): Insertable<Tables["order_words"]>[] {
  const block = blockOf(position);
  return words.split(" ").flatMap((word) => (word === "" ? [] : [{ block, word, position }]));
}

/**
 * The fact that says after which order to go on with indexing all stored orders: its time and id as
 * JSON. It is missing when they are indexed. A migration writes it with the place before the first
 * order.
 */
const PLACE = "order-index-place";
const placeSchema = z.tuple([z.number(), z.string()]);

/** Whether an order is stored that is not in the index or not counted, or has changed since. */
export async function isAnyToIndex(db: Queries): Promise<boolean> {
  const change = await db
    .selectFrom("order_changes")
    .select("position")
    .limit(1)
    .executeTakeFirst();
  return change !== undefined || (await isIndexing(db)) || (await isAnyToCount(db));
}

/** Whether orders from before an upgrade are still being indexed. */
export async function isIndexing(db: Queries): Promise<boolean> {
  return (await readFact(db, PLACE)) !== undefined;
}

/** What one call of {@link indexChanges} has done. */
interface Indexed {
  readonly kind: "stored" | "changes";
  readonly count: number;
}

/**
 * Brings the index and the figures up to date with the orders that have waited longest, in the
 * caller's transaction. The changes are numbered and timed under a lock, so those of a later commit
 * always come after those of an earlier one.
 *
 * @param now the clock that all processes share
 * @param most the most orders or changes to take
 * @returns how many were taken, 0 if the index is up to date, and whether they were `stored` before
 *   an upgrade or have changed
 */
export async function indexChanges(unit: UnitOfWork, now: Clock, most: number): Promise<Indexed> {
  await unit.lock(LOCK);
  const { db } = unit;
  const place = await readFact(db, PLACE);
  const stored = place === undefined ? 0 : await indexStored(unit, now, { place, most });
  if (stored > 0) return { kind: "stored", count: stored };
  const changes = await db
    .selectFrom("order_changes")
    .selectAll()
    .orderBy("position")
    .limit(most)
    .execute();
  if (changes.length === 0) return countOrders(unit, most);
  await indexOrders(unit, now, [...new Set(changes.map(({ order_id }) => order_id))]);
  await db
    .deleteFrom("order_changes")
    .where("position", "in", padded(changes.map(({ position }) => position)))
    .execute();
  return { kind: "changes", count: changes.length };
}

/**
 * Indexes the stored orders that follow a place. One that is stored behind the place meanwhile is
 * in `order_changes`.
 */
async function indexStored(
  unit: UnitOfWork,
  now: Clock,
  { place, most }: { readonly place: string; readonly most: number },
): Promise<number> {
  const [at, id] = placeSchema.parse(JSON.parse(place));
  const orders = await unit.db
    .selectFrom("orders")
    .select(["id", "created_at"])
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(at, id)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(most)
    .execute();
  const last = orders.at(-1);
  if (last === undefined) {
    await removeFact(unit.db, PLACE);
    return 0;
  }
  await indexOrders(
    unit,
    now,
    orders.map((order) => order.id),
  );
  await writeFact(unit.db, PLACE, JSON.stringify([last.created_at, last.id]));
  return orders.length;
}

async function indexOrders(unit: UnitOfWork, now: Clock, ids: readonly string[]): Promise<void> {
  const orders = await readOrders(unit.db, ids);
  await update(unit, orders, Math.max(now(), (await lastChange(unit.db)) + 1));
}

async function readOrders(db: Queries, ids: readonly string[]): Promise<IndexedFields[]> {
  const orders = await db
    .selectFrom("orders")
    .select(["id", "customer_name", "customer_email", "status", "total", "created_at"])
    .where("id", "in", padded(ids))
    .execute();
  const lines = await db
    .selectFrom("order_lines")
    .select(["order_id", "item_id", "name"])
    .where("order_id", "in", padded(ids))
    .execute();
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
  const byId = new Map(
    orders.map((order) => [order.id, { ...order, items: linesOf.get(order.id) ?? [] }]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The time of the newest change in the index, in epoch milliseconds. */
async function lastChange(db: Queries): Promise<number> {
  const row = await db
    .selectFrom("order_index")
    .select((eb) => eb.fn.max("changed_at").as("last"))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** The newest position of the index; -1 if it is empty. */
export async function lastPosition(db: Queries): Promise<number> {
  const row = await db
    .selectFrom("order_index")
    .select((eb) => eb.fn.max("position").as("last"))
    .executeTakeFirst();
  return row?.last ?? -1;
}

async function update(
  unit: UnitOfWork,
  orders: readonly IndexedFields[],
  at: number,
): Promise<void> {
  if (orders.length === 0) return;
  const ids = orders.map(({ id }) => id);
  const known = await unit.db
    .selectFrom("order_index")
    .selectAll()
    .where("order_id", "in", padded(ids))
    .execute();
  const entries = new Map(known.map((entry) => [entry.order_id, entry]));
  const counted = await readContributions(unit.db, orders);
  await insertEntries(
    unit,
    orders.filter(({ id }) => !entries.has(id)),
    { at, counted },
  );
  if (known.length === 0) return;
  await unit.db
    .updateTable("order_index")
    .set({ changed_at: at, counted_at: at })
    .where("position", "in", padded(known.map(({ position }) => position)))
    .execute();
  await storeCounts(unit, known, counted);
  for (const order of orders) {
    const entry = entries.get(order.id);
    const words = wordsColumn(order);
    if (entry !== undefined) await replaceWords(unit, entry, words);
  }
}

async function replaceWords(
  unit: UnitOfWork,
  { position, words: former }: { readonly position: number; readonly words: string },
  words: string,
): Promise<void> {
  if (former === words) return;
  const rows = wordRows(position, former);
  if (rows.length > 0) {
    await unit.db
      .deleteFrom("order_words")
      .where("block", "=", blockOf(position))
      .where("word", "in", padded(rows.map(({ word }) => word)))
      .where("position", "=", position)
      .execute();
  }
  await unit.db
    .updateTable("order_index")
    .set({ words })
    .where("position", "=", position)
    .execute();
  await insertWords(unit, wordRows(position, words));
}

/**
 * Replaces at once, in the caller's transaction, the words of an order that was erased: the
 * background task alone would leave them in the index for a second. Call it after the change, and
 * before lanes of the outbox are locked: it may wait for as long as a transaction of the index
 * takes.
 */
export async function reindexOrder(unit: UnitOfWork, orderId: string): Promise<void> {
  await unit.lock(LOCK);
  const [order] = await readOrders(unit.db, [orderId]);
  const entry = await unit.db
    .selectFrom("order_index")
    .select(["position", "words"])
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  if (order !== undefined && entry !== undefined)
    await replaceWords(unit, entry, wordsColumn(order));
}

async function insertEntries(
  unit: UnitOfWork,
  orders: readonly IndexedFields[],
  { at, counted }: { readonly at: number; readonly counted: ReadonlyMap<string, Counted> },
): Promise<void> {
  if (orders.length === 0) return;
  const first = (await lastPosition(unit.db)) + 1;
  const entries = orders.map((order, index) => ({
    order,
    position: first + index,
    words: wordsColumn(order),
  }));
  await unit.db
    .insertInto("order_index")
    .values(
      entries.map(({ order: { id }, ...entry }) => ({
        ...entry,
        order_id: id,
        changed_at: at,
        counted: JSON.stringify(counted.get(id) ?? []),
        counted_at: at,
      })),
    )
    .execute();
  await addToFigures(
    unit,
    orders.map(({ id }) => counted.get(id) ?? []),
  );
  await insertWords(
    unit,
    entries.flatMap(({ order: { total, created_at }, position, words }) =>
      wordRows(position, `${words} ${totalWord(total)} ${dayWord(created_at)}`),
    ),
  );
}

async function insertWords(
  unit: UnitOfWork,
  rows: readonly Insertable<Tables["order_words"]>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await unit.db
      .insertInto("order_words")
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}

/** The orders with their entries in the index, as filters need them. */
export function indexedOrders(db: Queries) {
  return db
    .selectFrom("order_index as i")
    .innerJoin("orders as o", "o.id", "i.order_id")
    .select([
      "o.id",
      "o.status",
      "o.customer_name",
      "o.customer_email",
      "o.total as total_price",
      "o.created_at",
      "i.position",
      "i.words",
    ]);
}
