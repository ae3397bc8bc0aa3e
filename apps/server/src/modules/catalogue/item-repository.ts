import { itemTitle, type VatRate } from "@keepsats/domain";
import type { NotNull } from "kysely";
import { padKeys, type Queries, type UnitOfWork } from "../../platform/database/database.ts";
import { readInBatches } from "../../platform/database/read-in-batches.ts";
import { slices } from "../../platform/scheduling/slices.ts";
import {
  createYield,
  type YieldToEventLoop,
} from "../../platform/scheduling/yield-to-event-loop.ts";
import { type Item, itemOf, rowOf } from "./item.ts";

const columns = [
  "id",
  "name",
  "description",
  "price",
  "image_url",
  "images",
  "stock",
  "hidden",
  "vat_rate",
  "variant_of",
  "variant_name",
] as const;
const ITEMS_PER_QUERY = 500;
/** How many items are read at a time: few enough that other requests hardly wait. */
const ITEMS_PER_BATCH = 100;

/** Items with the names of their categories. */
function selectItems(db: Queries) {
  return db
    .selectFrom("items")
    .leftJoin("categories", "categories.id", "items.category_id")
    .select(columns.map((column) => `items.${column}` as const))
    .select("categories.name as category");
}

/**
 * Returns all items in catalogue order, including hidden ones. Yields to the event loop between
 * batches. Outside a transaction, an item that is moved during the read is returned once, at its old
 * or its new position.
 */
export async function listItems(
  db: Queries,
  yieldToEventLoop: YieldToEventLoop = createYield({ share: 1 }),
): Promise<Item[]> {
  const items = new Map<string, Item>();
  const batches = readInBatches(
    ITEMS_PER_BATCH,
    (last: { readonly position: number } | undefined) =>
      selectItems(db)
        .select("items.position")
        .where("items.position", ">", last?.position ?? -1)
        .orderBy("items.position")
        .limit(ITEMS_PER_BATCH)
        .execute(),
  );
  for await (const rows of batches) {
    for (const { position: _, ...row } of rows) {
      items.delete(row.id);
      items.set(row.id, itemOf(row));
    }
    await yieldToEventLoop();
  }
  return [...items.values()];
}

/** A catalogue of hidden items is not empty. */
export async function isCatalogueEmpty(db: Queries): Promise<boolean> {
  const item = await db.selectFrom("items").select("id").limit(1).executeTakeFirst();
  return item === undefined;
}

export async function findItem(db: Queries, id: string): Promise<Item | undefined> {
  const row = await selectItems(db).where("items.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : itemOf(row);
}

/**
 * Returns the shown items of the group of an item, which are its variants; the one that represents
 * it first. A single item is its own group.
 */
export async function findShownGroup(db: Queries, item: Item): Promise<Item[]> {
  const main = item.variant_of ?? item.id;
  const rows = await selectItems(db)
    .where(({ eb, or }) => or([eb("items.id", "=", main), eb("variant_of", "=", main)]))
    .where("hidden", "=", 0)
    .orderBy("items.position")
    .execute();
  const group = rows.map(itemOf);
  return [...group.filter(({ id }) => id === main), ...group.filter(({ id }) => id !== main)];
}

/** Returns the titles and first pictures of items, including hidden ones, by their ids. */
export async function findTitlesAndPictures(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, Pick<Item, "name" | "image_url">>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("items")
    .select(["id", "name", "variant_name", "image_url"])
    .where("id", "in", padKeys(ids))
    .execute();
  return new Map(
    rows.map(({ id, image_url, ...item }) => [id, { name: itemTitle(item), image_url }]),
  );
}

/** Returns the VAT rates of the items that have one of their own, in basis points, by their ids. */
export async function findVatRates(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, VatRate>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("items")
    .select(["id", "vat_rate"])
    .where("id", "in", padKeys(ids))
    .where("vat_rate", "is not", null)
    .$narrowType<{ vat_rate: NotNull }>()
    .execute();
  return new Map(rows.map(({ id, vat_rate }) => [id, vat_rate]));
}

interface StoreOptions {
  /**
   * The items whose stock is replaced. Other known items keep theirs, which orders may have changed
   * since they were read.
   */
  readonly withNewStock: ReadonlySet<string>;
}

/** An item and its position in the catalogue if it is new or moves. Positions are unique. */
export interface PositionedItem {
  readonly item: Item;
  readonly position: number;
}

/** Assigns positions at the end of the catalogue, in this order. */
export async function positionedAtEnd(
  unit: UnitOfWork,
  items: readonly Item[],
): Promise<PositionedItem[]> {
  const { last } = await unit.db
    .selectFrom("items")
    .select(({ fn }) => fn.max("position").as("last"))
    .executeTakeFirstOrThrow();
  return items.map((item, index) => ({ item, position: Number(last ?? 0) + 1 + index }));
}

/**
 * Inserts or replaces items. New items go to the end of the catalogue, in this order; known items
 * keep their positions.
 */
export async function storeItems(
  unit: UnitOfWork,
  items: readonly Item[],
  options: StoreOptions = { withNewStock: new Set() },
): Promise<void> {
  const placed = await positionedAtEnd(unit, items);
  await storePositioned(unit, placed, { ...options, moves: false });
}

/** Inserts or replaces items. Known items keep their positions unless `moves`. */
export async function storePositioned(
  unit: UnitOfWork,
  items: readonly PositionedItem[],
  { withNewStock, moves }: StoreOptions & { readonly moves: boolean },
): Promise<void> {
  const categoryIds = await findCategoryIds(unit.db, items);
  const rows = items.map(({ item, position }) => ({
    ...rowOf(item),
    category_id: categoryIds.get(item.category) ?? null,
    position,
  }));
  for (const setsStock of [true, false]) {
    const replaced = [
      ...columns.filter((column) => column !== "id" && (setsStock || column !== "stock")),
      "category_id",
      ...(setsStock ? ["low_reported"] : []),
      ...(moves ? ["position"] : []),
    ];
    const changes = replaced.map((column) => `${column} = excluded.${column}`).join(", ");
    await unit.insertAll(
      { items: rows.filter(({ id }) => withNewStock.has(id) === setsStock) },
      { table: "items", onConflict: `(id) do update set ${changes}` },
    );
  }
}

/** Returns the ids of the categories of items, by their names. */
async function findCategoryIds(
  db: Queries,
  items: readonly PositionedItem[],
): Promise<ReadonlyMap<string | null, string>> {
  const names = new Set(items.flatMap(({ item }) => item.category ?? []));
  if (names.size === 0) return new Map();
  const rows = await db
    .selectFrom("categories")
    .select(["id", "name"])
    .where("name", "in", padKeys([...names]))
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Locks items in the order of their ids, as orders do, until the transaction ends. */
export async function lockItems(unit: UnitOfWork, ids: readonly string[]): Promise<void> {
  // Slices of a sorted list are locked in the order of the whole list: both databases compare ids
  // byte by byte.
  const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1));
  const yieldToEventLoop = createYield({ share: 1 });
  for (const slice of slices(sorted, ITEMS_PER_QUERY)) {
    const query = unit.db.selectFrom("items").select("id").where("id", "in", slice).orderBy("id");
    await unit.lockingRows(query).execute();
    await yieldToEventLoop();
  }
}

/** Returns the id of an item that differs at most in upper and lower case. */
export async function findAlikeId(db: Queries, id: string): Promise<string | undefined> {
  const alike = await db
    .selectFrom("items")
    .select("id")
    .where(({ fn }) => fn<string>("lower", ["id"]), "=", id.toLowerCase())
    .executeTakeFirst();
  return alike?.id;
}

/** @returns whether the item existed */
export async function deleteItem(unit: UnitOfWork, id: string): Promise<boolean> {
  const { numDeletedRows } = await unit.db
    .deleteFrom("items")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
