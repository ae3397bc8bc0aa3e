import type { FieldError } from "@keepsats/domain";
import type { ImportedItem, ItemEdit, ItemPatch, MerchantItem } from "@keepsats/protocol";
import type { Insertable, Selectable } from "kysely";
import * as z from "zod/mini";
import type { Tables } from "../db/tables.ts";
import { isLow } from "./low-stock.ts";

/**
 * An entry of the catalogue, in the words of the merchant API; `price` in cents, `stock` null for
 * an item that is not counted. Hidden items can be neither seen nor bought. The protocol's schemas
 * encode it for the wire, and {@link rowOf} for the database.
 */
export type Item = Readonly<MerchantItem>;

/** The fields of an item that can be changed, in the order of the columns of an export. */
export const itemFields = [
  "name",
  "description",
  "price",
  "image_url",
  "image_urls",
  "stock",
  "hidden",
] as const;
export type ItemField = (typeof itemFields)[number];

/** The JSON of the further pictures in their column. */
const imagesColumn = z.codec(z.string(), z.array(z.string()), {
  decode: (json) => JSON.parse(json),
  encode: (urls) => JSON.stringify(urls),
});

/** Reads an item from its row; see {@link rowOf} for the other way. */
export function itemOf({
  hidden,
  images,
  ...row
}: Omit<Selectable<Tables["items"]>, "position" | "low_told">): Item {
  // Most items have no further pictures, and the whole catalogue is read at once.
  const image_urls = images === "[]" ? [] : z.decode(imagesColumn, images);
  return { ...row, image_urls, hidden: hidden === 1 };
}

/**
 * The row of an item, without its place in the catalogue. The merchant who sets a low stock knows
 * of it.
 */
export function rowOf({
  hidden,
  image_urls,
  ...item
}: Item): Omit<Insertable<Tables["items"]>, "position"> {
  const images = z.encode(imagesColumn, image_urls);
  return { ...item, images, hidden: hidden ? 1 : 0, low_told: isLow(item.stock) ? 1 : 0 };
}

/** The fields in which two versions of an item differ. */
export function changedFields(one: Item, other: Item): ItemField[] {
  return itemFields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
}

/**
 * The fields of an item that are not what a change expects. A field that has its new value already
 * is none of them: the change was made before, and is only sent again.
 */
export function unexpectedFields(known: Item, { expected, ...patch }: ItemEdit): ItemField[] {
  if (expected === undefined) return [];
  const different = changedFields(known, patchedItem(known, patch));
  return changedFields(known, patchedItem(known, expected)).filter(
    (field) => patch[field] === undefined || different.includes(field),
  );
}

const needed = ["name", "description", "price", "image_url"] as const;

/** An imported item whose id was given or made from its name. */
export type NamedItem = ImportedItem & { readonly id: string };

/**
 * Makes a new item of what the merchant has sent, or returns the names of the fields that are
 * missing.
 */
export function addedItem(written: NamedItem): { item: Item } | { missing: readonly string[] } {
  const {
    id,
    name,
    description,
    price,
    image_url,
    image_urls = [],
    stock = null,
    hidden = false,
  } = written;
  if (
    name === undefined ||
    description === undefined ||
    price === undefined ||
    image_url === undefined
  ) {
    return { missing: needed.filter((field) => written[field] === undefined) };
  }
  return { item: { id, name, description, price, image_url, image_urls, stock, hidden } };
}

/** The error of a new item whose id is that of another one but for upper and lower case. */
export function alikeId(other: string): FieldError {
  return { path: "id", message: `differs from the id "${other}" only in upper and lower case` };
}

/** Returns a known item with the fields of a patch replaced. */
export function patchedItem(known: Item, patch: ItemPatch): Item {
  return {
    id: known.id,
    name: patch.name ?? known.name,
    description: patch.description ?? known.description,
    price: patch.price ?? known.price,
    image_url: patch.image_url ?? known.image_url,
    image_urls: patch.image_urls ?? known.image_urls,
    stock: patch.stock === undefined ? known.stock : patch.stock,
    hidden: patch.hidden ?? known.hidden,
  };
}
