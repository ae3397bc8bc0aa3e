import type { Cents } from "./money.ts";

/** The maximum price of an item, in cents: $1,000,000.00. */
export const MAX_PRICE: Cents = 100_000_000;

/** Whether an amount is a valid price of an item. 0 is not, because there are no loans of 0. */
export function isPrice(cents: Cents): boolean {
  return cents > 0 && cents <= MAX_PRICE;
}

/** The name of an item in carts and orders, where no page of its variants explains it. */
export function itemTitle(item: {
  name: string;
  variant_name?: string | null | undefined;
}): string {
  return item.variant_name ? `${item.name} – ${item.variant_name}` : item.name;
}

/** Pieces of an item, such as `3 × Mug`. */
export function piecesText({ quantity, name }: { quantity: number; name: string }): string {
  return `${quantity} × ${name}`;
}

/**
 * The maximum length of an id derived from a name. The limit of the API is 100, and a number may be
 * appended.
 */
const MAX_ID_LENGTH = 80;
/** The id for a name without any usable character. */
const UNNAMED = "item";

/** Derives a unique id from a name: "Kaffee Größe 2" → `kaffee-grosse-2`. */
export function itemIdOf(name: string, isTaken: (id: string) => boolean): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const words = plain.match(/[a-z0-9]+/g) ?? [UNNAMED];
  const id = words.join("-").slice(0, MAX_ID_LENGTH).replace(/-$/, "");
  if (!isTaken(id)) return id;
  let number = 2;
  while (isTaken(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
