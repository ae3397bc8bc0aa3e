import type { Item } from "@keepsats/protocol";

/** What a card shows: an item, or a group of variants. */
export interface Product extends Item {
  /** The variants of a group, in the order of the merchant. */
  readonly variants?: readonly Item[];
}

/**
 * Groups variants under the items that represent them. A group has the lowest price of its variants,
 * and is sold out if all of them are.
 */
export function productsOf(items: readonly Item[]): readonly Product[] {
  if (items.every(({ variant_of }) => variant_of === undefined)) return items;
  const groups = Map.groupBy(items, mainOf);
  return items.flatMap((item) => {
    if (item.variant_of !== undefined) return [];
    const group = groups.get(item.id) ?? [];
    return group.length > 1 ? groupOf(item, group) : item;
  });
}

/** The id of the item that represents the group of an item: its own, if it is no variant. */
export function mainOf({ id, variant_of = id }: Pick<Item, "id" | "variant_of">): string {
  return variant_of;
}

function groupOf(main: Item, variants: readonly Item[]): Product {
  return {
    ...main,
    variant_name: undefined,
    price: Math.min(...variants.map(({ price }) => price)),
    in_stock: variants.some(({ in_stock }) => in_stock !== false),
    variants,
  };
}
