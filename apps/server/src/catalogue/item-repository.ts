import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { type Item, itemOf, rowOf } from "./item.ts";

const columns = ["id", "name", "description", "price", "image_url", "hidden"] as const;
const IDS_PER_QUERY = 500;
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

/** Reads names and current prices (cents) by item id. Hidden and unknown items are left out. */
export async function pricesOf(
  unit: Pick<UnitOfWork, "db">,
  ids: readonly string[],
): Promise<Map<string, { name: string; price: number }>> {
  const prices = new Map<string, { name: string; price: number }>();
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const rows = await unit.db
      .selectFrom("items")
      .select(["id", "name", "price"])
      .where("id", "in", ids.slice(start, start + IDS_PER_QUERY))
      .where("hidden", "=", 0)
      .execute();
    for (const { id, name, price } of rows) prices.set(id, { name, price });
  }
  return prices;
}

/** Inserts or replaces items. New items go to the end of the catalogue in this order; known items keep their places. */
export async function storeItems(unit: UnitOfWork, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  await unit.db
    .insertInto("items")
    .values(items.map(rowOf))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ ref }) => ({
        name: ref("excluded.name"),
        description: ref("excluded.description"),
        price: ref("excluded.price"),
        image_url: ref("excluded.image_url"),
        hidden: ref("excluded.hidden"),
      })),
    )
    .execute();
}

/** Deletes items; unknown ids are ignored. */
export async function deleteItems(unit: UnitOfWork, ids: readonly string[]): Promise<void> {
  await unit.db.deleteFrom("items").where("id", "in", ids).execute();
}
