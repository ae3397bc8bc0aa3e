import { itemTitle } from "@keepsats/domain";
import type { Product } from "./products.ts";

/** `shop` is the order of the merchant. */
export const sortOrders = ["shop", "price-up", "price-down", "name"] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Folds case and accents: "Café" and "CAFE" are the same word. */
function wordsOf(text: string): string[] {
  const folded = text.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Searches names, also of variants, and descriptions: every word of the query must be a prefix of a
 * word of the item, regardless of case and accents. A query without words finds all items. The words
 * of the items are collected on the first query.
 *
 * @returns the found items, in the order of `items`
 */
export function createSearch(items: readonly Product[]): (query: string) => readonly Product[] {
  let texts: readonly string[] | undefined;
  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return items;
    texts ??= items.map(({ name, description, variants = [] }) => {
      const titles = [name, ...variants.map(itemTitle)].join(" ");
      return ` ${wordsOf(`${titles} ${description}`).join(" ")}`;
    });
    const indexed = texts;
    return items.filter((_, index) => words.every((word) => indexed[index]?.includes(` ${word}`)));
  };
}

const byName = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/** Items that compare equal stay in the order of the merchant. */
export function sorted(items: readonly Product[], order: SortOrder): readonly Product[] {
  switch (order) {
    case "shop":
      return items;
    case "price-up":
      return items.toSorted((a, b) => a.price - b.price);
    case "price-down":
      return items.toSorted((a, b) => b.price - a.price);
    case "name":
      return items.toSorted((a, b) => byName.compare(a.name, b.name));
  }
}
