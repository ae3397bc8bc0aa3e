import { type Cents, itemTitle } from "@keepsats/domain";
import { inStockOf } from "@keepsats/protocol";
import { type Selectable, sql } from "kysely";
import { padKeys, type Queries, type UnitOfWork } from "../../platform/database/database.ts";
import type { Tables } from "../../platform/database/tables.ts";
import type { Bus } from "../../platform/events/bus.ts";
import type { EmitEvents } from "../../platform/outbox/emit-events.ts";

/** Staff are notified once of a sale that leaves so many pieces of an item, or fewer. */
const LOW_STOCK = 3;
/**
 * Restocked pieces of cancelled orders end a low stock only above this count, so that staff are not
 * notified repeatedly.
 */
const REFILLED = 2 * LOW_STOCK;

/** Whether few pieces are left. An item that is not counted is never low. */
export function isLow(stock: number | null): boolean {
  return stock !== null && stock <= LOW_STOCK;
}

/** What an order needs of an item. */
export interface ItemForSale {
  readonly name: string;
  readonly price: Cents;
  /** The number of pieces left; `null` if the item is not counted. */
  readonly stock: number | null;
}

/** An item whose count has changed. */
interface Counted {
  readonly id: string;
  readonly before: number;
  readonly after: number;
  /** Whether staff were notified of its low stock. */
  readonly isReported: boolean;
}

export type Stock = ReturnType<typeof createStock>;

/**
 * The stock, for orders. Each transaction locks items in the order of their ids, so that two
 * transactions cannot deadlock.
 */
export function createStock({ bus, emitEvents }: { bus: Bus; emitEvents: EmitEvents }) {
  /**
   * Adds to the counts of locked items. Items that are not counted stay as they are.
   *
   * @returns the ids of the counted items
   */
  async function add(
    unit: UnitOfWork,
    pieces: ReadonlyMap<string, number>,
  ): Promise<ReadonlySet<string>> {
    if (pieces.size === 0) return new Set();
    const changed = await addToCounts(unit, [...pieces]);
    const low = changed.filter(
      ({ before, after, isReported }) => after < before && isLow(after) && !isReported,
    );
    const refilled = changed.filter(({ after, isReported }) => after > REFILLED && isReported);
    await setReported(unit, low, 1);
    await setReported(unit, refilled, 0);
    await emitEvents(
      unit,
      low.map(({ id, after }) => ({ type: "stock.low", subject: id, data: { stock: after } })),
    );
    if (changed.some(({ before, after }) => inStockOf(before) !== inStockOf(after))) {
      unit.afterCommit(() => bus.publish({ topic: "stock" }));
    }
    return new Set(changed.map(({ id }) => id));
  }

  return {
    read: (unit: UnitOfWork, ids: readonly string[]) => readForSale(unit.db, ids),
    lock: lockForSale,
    lockCounted,
    /** Takes pieces from the stock of locked items. At least as many must be left. */
    async take(unit: UnitOfWork, pieces: ReadonlyMap<string, number>): Promise<void> {
      await add(unit, new Map([...pieces].map(([id, count]) => [id, -count])));
    },
    /**
     * Returns pieces to the stock, and locks these items. Items that are deleted or no longer
     * counted are ignored. Called at most once per transaction and after all other locks, so that
     * two transactions cannot deadlock.
     *
     * @returns the ids of the items that are counted
     */
    async restock(unit: UnitOfWork, pieces: ReadonlyMap<string, number>) {
      await lockCounted(unit, [...pieces.keys()]);
      return add(unit, pieces);
    },
  };
}

const forSale = ["id", "name", "variant_name", "price", "stock"] as const;

function selectForSale(db: Queries, ids: readonly string[]) {
  return db
    .selectFrom("items")
    .select(forSale)
    .where("id", "in", padKeys(ids))
    .where("hidden", "=", 0);
}

/** Reads items by id, without hidden and unknown ones. */
export async function readForSale(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, ItemForSale>> {
  if (ids.length === 0) return new Map();
  const rows = await selectForSale(db, ids).execute();
  return new Map(rows.map(forSaleEntry));
}

/**
 * Locks items until the transaction ends, and reads them like {@link readForSale}. In one query, so
 * that its rows are locked in the order of their ids.
 */
async function lockForSale(
  unit: UnitOfWork,
  ids: readonly string[],
): Promise<Map<string, ItemForSale>> {
  const rows = await unit.lockingRows(selectForSale(unit.db, ids).orderBy("id")).execute();
  return new Map(rows.map(forSaleEntry));
}

function forSaleEntry({
  id,
  price,
  stock,
  ...item
}: Pick<Selectable<Tables["items"]>, (typeof forSale)[number]>): [string, ItemForSale] {
  return [id, { name: itemTitle(item), price, stock }];
}

/**
 * Locks the counted items, including hidden ones: an import may hold the locks of others and wait
 * for these.
 */
async function lockCounted(unit: UnitOfWork, ids: readonly string[]): Promise<void> {
  const query = unit.db
    .selectFrom("items")
    .select("id")
    .where("id", "in", padKeys(ids))
    .where("stock", "is not", null)
    .orderBy("id");
  await unit.lockingRows(query).execute();
}

async function addToCounts(
  unit: UnitOfWork,
  pieces: readonly (readonly [id: string, count: number])[],
): Promise<Counted[]> {
  const cases = padKeys(pieces).map(
    ([id, count]) => sql`when ${id} then cast(${count} as integer)`,
  );
  const rows = await unit.db
    .updateTable("items")
    .set({ stock: sql<number>`stock + case id ${sql.join(cases, sql` `)} end` })
    .where("id", "in", padKeys(pieces.map(([id]) => id)))
    .where("stock", "is not", null)
    .returning(["id", "stock", "low_reported"])
    .execute();
  const added = new Map(pieces);
  return rows.map(({ id, stock, low_reported }) => {
    const after = stock ?? 0;
    return { id, before: after - (added.get(id) ?? 0), after, isReported: low_reported === 1 };
  });
}

async function setReported(
  unit: UnitOfWork,
  items: readonly Counted[],
  low_reported: 0 | 1,
): Promise<void> {
  if (items.length === 0) return;
  const ids = items.map(({ id }) => id);
  await unit.db.updateTable("items").set({ low_reported }).where("id", "in", ids).execute();
}

const MAX_LOWEST = 5;

/** Counts the low and the sold-out items on sale. `lowest`: the items with the fewest pieces. */
export async function findLowItems(db: Queries) {
  // A literal, because the partial index `items_low_stock` is not used with a parameter, nor for
  // another count.
  const rows = await db
    .selectFrom("items")
    .select(["id", "name", "variant_name", "stock", "image_url"])
    .where(({ eb, lit }) => eb("stock", "<=", lit(LOW_STOCK)))
    .where("hidden", "=", 0)
    .execute();
  const low = rows.map(({ id, stock, image_url, ...item }) => ({
    id,
    name: itemTitle(item),
    stock: stock ?? 0,
    image_url,
  }));
  const soldOut = low.filter(({ stock }) => stock === 0).length;
  const lowest = low.toSorted((one, other) => one.stock - other.stock).slice(0, MAX_LOWEST);
  return { low: rows.length - soldOut, soldOut, lowest };
}
