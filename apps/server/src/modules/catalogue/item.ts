import type { FieldError } from "@keepsats/domain";
import type { AdminItem, ImportedItem, ItemEdit, ItemPatch } from "@keepsats/protocol";
import type { Insertable, Selectable } from "kysely";
import * as z from "zod/mini";
import type { Tables } from "../../platform/database/tables.ts";
import { isLow } from "./stock.ts";

/**
 * `price` is in cents, `stock` is `null` for an item that is not counted, `category` is the name of a
 * category. Hidden items can be neither seen nor bought. {@link itemOf} and {@link rowOf} convert
 * from and to database rows.
 */
export type Item = Readonly<AdminItem>;

/** The fields that can be changed, in the order of the columns of an export. */
export const itemFields = [
  "name",
  "description",
  "price",
  "image_url",
  "image_urls",
  "stock",
  "vat_rate",
  "hidden",
  "category",
  "variant_of",
  "variant_name",
] as const;
export type ItemField = (typeof itemFields)[number];

const imagesColumn = z.codec(z.string(), z.array(z.string()), {
  decode: (json) => JSON.parse(json),
  encode: (urls) => JSON.stringify(urls),
});

export function itemOf({
  hidden,
  images,
  ...row
}: Omit<Selectable<Tables["items"]>, "position" | "low_reported" | "category_id"> & {
  readonly category: string | null;
}): Item {
  // Most items have no further pictures, and the whole catalogue is read at once.
  const image_urls = images === "[]" ? [] : z.decode(imagesColumn, images);
  return { ...row, image_urls, hidden: hidden === 1 };
}

/**
 * The row of an item, without its position and its category's id. Staff who set a low stock are not
 * notified of it.
 */
export function rowOf({
  hidden,
  image_urls,
  category: _,
  ...item
}: Item): Omit<Insertable<Tables["items"]>, "position"> {
  const images = z.encode(imagesColumn, image_urls);
  return { ...item, images, hidden: hidden ? 1 : 0, low_reported: isLow(item.stock) ? 1 : 0 };
}

/** The fields in which two versions of an item differ. */
export function changedFields(one: Item, other: Item): ItemField[] {
  return itemFields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
}

/**
 * Returns the fields that no longer have the values that a change expects. A field that already has
 * its new value is not one of them: the change is a retry.
 */
export function unexpectedFields(known: Item, { expected, ...patch }: ItemEdit): ItemField[] {
  if (expected === undefined) return [];
  const different = changedFields(known, patchedItem(known, patch));
  return changedFields(known, patchedItem(known, expected)).filter(
    (field) => patch[field] === undefined || different.includes(field),
  );
}

const needed = ["name", "description", "price", "image_url"] as const;

/** An imported item with the id that was given or derived from its name. */
export type NamedItem = ImportedItem & { readonly id: string };

/** Returns a new item, or the names of the missing fields. */
export function addedItem(written: NamedItem): { item: Item } | { missing: readonly string[] } {
  const {
    id,
    name,
    description,
    price,
    image_url,
    image_urls = [],
    stock = null,
    vat_rate = null,
    hidden = false,
    category = null,
    variant_of = null,
    variant_name = null,
  } = written;
  if (
    name === undefined ||
    description === undefined ||
    price === undefined ||
    image_url === undefined
  ) {
    return { missing: needed.filter((field) => written[field] === undefined) };
  }
  const shown = { id, name, description, price, image_url, image_urls, stock, hidden };
  return { item: { ...shown, vat_rate, category, variant_of, variant_name } };
}

export function alikeId(other: string): FieldError {
  return { path: "id", message: `differs from the id "${other}" only in upper and lower case` };
}

export function patchedItem(known: Item, patch: ItemPatch): Item {
  return {
    id: known.id,
    name: patch.name ?? known.name,
    description: patch.description ?? known.description,
    price: patch.price ?? known.price,
    image_url: patch.image_url ?? known.image_url,
    image_urls: patch.image_urls ?? known.image_urls,
    stock: patch.stock === undefined ? known.stock : patch.stock,
    vat_rate: patch.vat_rate === undefined ? known.vat_rate : patch.vat_rate,
    hidden: patch.hidden ?? known.hidden,
    category: patch.category === undefined ? known.category : patch.category,
    variant_of: patch.variant_of === undefined ? known.variant_of : patch.variant_of,
    variant_name: patch.variant_name === undefined ? known.variant_name : patch.variant_name,
  };
}
