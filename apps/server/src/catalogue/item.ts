import { centsFromDollars } from "@keepsats/domain";
import type { ImportedItem, ItemPatch } from "@keepsats/protocol";

/** An entry of the catalogue; `price` in cents. Hidden items can be neither seen nor bought. */
export interface Item {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price: number;
  readonly imageUrl: string;
  readonly hidden: boolean;
}

/** The fields of an item that may change. */
export const itemFields = ["name", "description", "price", "imageUrl", "hidden"] as const;

/** Whether two forms of an item are the same. */
export function isSameItem(one: Item, other: Item): boolean {
  return itemFields.every((field) => one[field] === other[field]);
}

const needed = ["name", "description", "price", "image_url"] as const;

/** A new item from one as the merchant writes it, or the fields that it lacks. */
export function addedItem(written: ImportedItem): { item: Item } | { missing: readonly string[] } {
  const { id, name, description, price, image_url, hidden = false } = written;
  if (name === undefined || description === undefined || price === undefined || image_url === undefined) {
    return { missing: needed.filter((field) => written[field] === undefined) };
  }
  return { item: { id, name, description, price: cents(price), imageUrl: image_url, hidden } };
}

/** A known item with the fields that are mentioned in their new form. */
export function patchedItem(known: Item, patch: ItemPatch): Item {
  return {
    id: known.id,
    name: patch.name ?? known.name,
    description: patch.description ?? known.description,
    price: patch.price === undefined ? known.price : cents(patch.price),
    imageUrl: patch.image_url ?? known.imageUrl,
    hidden: patch.hidden ?? known.hidden,
  };
}

function cents(dollars: number): number {
  const price = centsFromDollars(dollars);
  if (price === undefined) throw new Error(`${dollars} dollars is no price, and was not refused`);
  return price;
}
