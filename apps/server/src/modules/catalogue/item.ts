import type { FieldError } from "@keepsats/domain";
import type { AdminItem, ItemEdit, ItemPatch } from "@keepsats/protocol";
import type { Selectable } from "kysely";
import type { Tables } from "../../platform/database/tables.ts";

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

export function itemOf({
  hidden,
  images,
  ...row
}: Omit<Selectable<Tables["items"]>, "position" | "low_reported" | "category_id"> & {
  readonly category: string | null;
}): Item {
  return { ...row, image_urls: JSON.parse(images), hidden: hidden === 1 };
}

/**
 * The row of an item, without its position and its category's id. Resets `low_reported`, so that
 * the next low stock is reported again.
 */
export function rowOf({ hidden, image_urls, category: _, ...item }: Item) {
  return { ...item, images: JSON.stringify(image_urls), hidden: hidden ? 1 : 0, low_reported: 0 };
}

/** The fields in which two versions of an item differ. */
export function changedFields(one: Item, other: Item): ItemField[] {
  return itemFields.filter(
    (field) =>
      one[field] !== other[field] && JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  );
}

/**
 * Returns the fields that no longer have the values that a change expects. It leaves out fields that
 * already have their new values: the change is a retry.
 */
export function unexpectedFields(known: Item, { expected, ...patch }: ItemEdit): ItemField[] {
  if (expected === undefined) return [];
  const different = changedFields(known, patchedItem(known, patch));
  return changedFields(known, patchedItem(known, expected)).filter(
    (field) => patch[field] === undefined || different.includes(field),
  );
}

/** A new item, before its fields are given. */
export function blankItem(id: string): Pick<Item, "id" | ItemField> {
  return {
    id,
    name: "",
    description: "",
    price: 0,
    image_url: "",
    image_urls: [],
    stock: null,
    vat_rate: null,
    hidden: false,
    category: null,
    variant_of: null,
    variant_name: null,
  };
}

export function patchedItem(known: Item, patch: ItemPatch): Item {
  const given = itemFields.filter((field) => patch[field] !== undefined);
  return { ...known, ...Object.fromEntries(given.map((field) => [field, patch[field]])) };
}

export function alikeIdError(other: string): FieldError {
  return { path: "id", message: `differs from the id "${other}" only in upper and lower case` };
}
