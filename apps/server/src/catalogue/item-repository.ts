import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { type Item, itemOf, rowOf } from "./item.ts";

const columns = ["id", "name", "description", "price", "image_url", "images", "stock", "hidden"] as const;
const ITEMS_PER_QUERY = 500;

/**
 * Reads all items in catalogue order, hidden ones included. It reads in pages and yields to the event loop between
 * them. Outside of a transaction, an item that is moved meanwhile is returned once, at its old or its new place.
 */
export async function listItems(db: Queries): Promise<Item[]> {
  const items = new Map<string, Item>();
  let last = -1;
  for (;;) {
    const rows = await db
      .selectFrom("items")
      .select([...columns, "position"])
      .where("position", ">", last)
      .orderBy("position")
      .limit(ITEMS_PER_QUERY)
      .execute();
    for (const { position, ...row } of rows) {
      items.delete(row.id);
      items.set(row.id, itemOf(row));
      last = position;
    }
    if (rows.length < ITEMS_PER_QUERY) return [...items.values()];
    await yieldToEventLoop();
  }
}

/** Whether the catalogue has no items, hidden ones included. */
export async function isCatalogueEmpty(db: Queries): Promise<boolean> {
  const item = await db.selectFrom("items").select("id").limit(1).executeTakeFirst();
  return item === undefined;
}

/** Reads one item; `undefined` where there is none. */
export async function findItem(db: Queries, id: string): Promise<Item | undefined> {
  const row = await db.selectFrom("items").select(columns).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : itemOf(row);
}

/** How known items are stored. */
interface StoreOptions {
  /** The items whose stock is replaced; other known items keep theirs, which orders may have changed meanwhile. */
  readonly restocked: ReadonlySet<string>;
}

/** An item and its place in the catalogue if it is new or moves; no other item has that place. */
export interface PlacedItem {
  readonly item: Item;
  readonly position: number;
}

/** The items in this order, with the places at the end of the catalogue. */
export async function atTheEnd(unit: UnitOfWork, items: readonly Item[]): Promise<PlacedItem[]> {
  const { last } = await unit.db
    .selectFrom("items")
    .select(({ fn }) => fn.max("position").as("last"))
    .executeTakeFirstOrThrow();
  return items.map((item, index) => ({ item, position: Number(last ?? 0) + 1 + index }));
}

/** Inserts or replaces items. New items go to the end of the catalogue, in this order; known items keep their places. */
export async function storeItems(
  unit: UnitOfWork,
  items: readonly Item[],
  options: StoreOptions = { restocked: new Set() },
): Promise<void> {
  await storePlaced(unit, await atTheEnd(unit, items), { ...options, moves: false });
}

/** Inserts or replaces items. Known items keep their places unless the items move. */
export async function storePlaced(
  unit: UnitOfWork,
  items: readonly PlacedItem[],
  { restocked, moves }: StoreOptions & { readonly moves: boolean },
): Promise<void> {
  const rows = items.map(({ item, position }) => ({ ...rowOf(item), position }));
  for (const setsStock of [true, false]) {
    const some = rows.filter(({ id }) => restocked.has(id) === setsStock);
    if (some.length === 0) continue;
    await unit.db
      .insertInto("items")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet(({ ref }) => ({
          name: ref("excluded.name"),
          description: ref("excluded.description"),
          price: ref("excluded.price"),
          image_url: ref("excluded.image_url"),
          images: ref("excluded.images"),
          hidden: ref("excluded.hidden"),
          ...(moves ? { position: ref("excluded.position") } : {}),
          ...(setsStock ? { stock: ref("excluded.stock"), low_told: ref("excluded.low_told") } : {}),
        })),
      )
      .execute();
  }
  await unit.numberItemsAfterLast();
}

/** Locks items in the order of their ids until the transaction ends, as orders do that take their pieces. */
export async function lockItems(unit: UnitOfWork, ids: readonly string[]): Promise<void> {
  // Slices of a sorted list are locked in the order of the whole list: both databases compare ids byte by byte.
  const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1));
  for (let start = 0; start < sorted.length; start += ITEMS_PER_QUERY) {
    const slice = sorted.slice(start, start + ITEMS_PER_QUERY);
    const query = unit.db.selectFrom("items").select("id").where("id", "in", slice).orderBy("id");
    await unit.lockingRows(query).execute();
    await yieldToEventLoop();
  }
}

/** The id of an item that is the same but for upper and lower case; `undefined` where there is none. */
export async function findAlikeId(db: Queries, id: string): Promise<string | undefined> {
  const alike = await db
    .selectFrom("items")
    .select("id")
    .where(({ fn }) => fn<string>("lower", ["id"]), "=", id.toLowerCase())
    .executeTakeFirst();
  return alike?.id;
}

/** Deletes an item. @returns whether there was one */
export async function deleteItem(unit: UnitOfWork, id: string): Promise<boolean> {
  const { numDeletedRows } = await unit.db.deleteFrom("items").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
