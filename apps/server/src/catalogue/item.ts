import type { ImportedItem, ItemPatch, MerchantItem } from "@keepsats/protocol";
import type { Insertable, Selectable } from "kysely";
import type { Tables } from "../db/tables.ts";

/**
 * An entry of the catalogue, in the words of the merchant API; `price` in cents. Hidden items can be neither seen nor
 * bought. The protocol's schemas encode it for the wire, and {@link rowOf} for the database.
 */
export type Item = Readonly<MerchantItem>;

/** The fields of an item that can be changed. */
export const itemFields = ["name", "description", "price", "image_url", "hidden"] as const;

/** Reads an item from its row; see {@link rowOf} for the other way. */
export function itemOf({ hidden, ...row }: Omit<Selectable<Tables["items"]>, "position">): Item {
  return { ...row, hidden: hidden === 1 };
}

/** The row of an item, without its place in the catalogue. */
export function rowOf({ hidden, ...item }: Item): Insertable<Tables["items"]> {
  return { ...item, hidden: hidden ? 1 : 0 };
}

/** Whether two versions of an item are equal. */
export function isSameItem(one: Item, other: Item): boolean {
  return itemFields.every((field) => one[field] === other[field]);
}

const needed = ["name", "description", "price", "image_url"] as const;

/** Makes a new item of what the merchant has sent, or returns the names of the fields that are missing. */
export function addedItem(written: ImportedItem): { item: Item } | { missing: readonly string[] } {
  const { id, name, description, price, image_url, hidden = false } = written;
  if (name === undefined || description === undefined || price === undefined || image_url === undefined) {
    return { missing: needed.filter((field) => written[field] === undefined) };
  }
  return { item: { id, name, description, price, image_url, hidden } };
}

/** Returns a known item with the fields of a patch replaced. */
export function patchedItem(known: Item, patch: ItemPatch): Item {
  return {
    id: known.id,
    name: patch.name ?? known.name,
    description: patch.description ?? known.description,
    price: patch.price ?? known.price,
    image_url: patch.image_url ?? known.image_url,
    hidden: patch.hidden ?? known.hidden,
  };
}
