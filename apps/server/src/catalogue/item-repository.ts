import type { Queries, UnitOfWork } from "../db/database.ts";

/** An entry of the catalogue; `price` in cents. Hidden items can be neither seen nor bought. */
export interface Item {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price: number;
  readonly imageUrl: string;
  readonly hidden: boolean;
}

const columns = ["id", "name", "description", "price", "image_url as imageUrl", "hidden"] as const;
const IDS_PER_QUERY = 500;

/** All items in catalogue order, hidden ones too. */
export async function listItems(db: Queries): Promise<Item[]> {
  const rows = await db.selectFrom("items").select(columns).orderBy("position").execute();
  return rows.map((row) => ({ ...row, hidden: row.hidden === 1 }));
}

/** Whether there is no item at all, not even a hidden one. */
export async function isCatalogueEmpty(db: Queries): Promise<boolean> {
  const item = await db.selectFrom("items").select("id").limit(1).executeTakeFirst();
  return item === undefined;
}

/** One item; `undefined` where there is none. */
export async function findItem(db: Queries, id: string): Promise<Item | undefined> {
  const row = await db.selectFrom("items").select(columns).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : { ...row, hidden: row.hidden === 1 };
}

/** What items cost now, in cents; hidden and unknown ones are left out. */
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

/** What storing an item came to. */
export type ItemWriteOutcome = "added" | "changed" | "unchanged";

/**
 * Stores one item whole: a new one goes to the end of the catalogue, a known one keeps its place.
 *
 * @param known the item as it is stored now, where it is
 */
export async function saveItem(
  unit: UnitOfWork,
  item: Item,
  known: Item | undefined,
): Promise<ItemWriteOutcome> {
  if (known === undefined) {
    await unit.db
      .insertInto("items")
      .values({ id: item.id, ...itemRow(item) })
      .execute();
    return "added";
  }
  if (sameItem(known, item)) return "unchanged";
  await unit.db.updateTable("items").set(itemRow(item)).where("id", "=", item.id).execute();
  return "changed";
}

function itemRow(item: Item) {
  return {
    name: item.name,
    description: item.description,
    price: item.price,
    image_url: item.imageUrl,
    hidden: item.hidden ? 1 : 0,
  };
}

function sameItem(one: Item, other: Item): boolean {
  return JSON.stringify(itemRow(one)) === JSON.stringify(itemRow(other));
}
