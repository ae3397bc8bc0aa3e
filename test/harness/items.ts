import { randomUUID } from "node:crypto";
import type { Item } from "../../apps/server/src/catalogue/item.ts";

/** A stored item: a moka pot for 45 dollars. */
export function aStoredItem(changes: Partial<Item> = {}): Item {
  return {
    id: randomUUID(),
    name: "Moka Pot",
    description: "For the stove.",
    price: 4_500,
    image_url: "/pictures/moka-pot.svg",
    image_urls: [],
    stock: null,
    hidden: false,
    ...changes,
  };
}
