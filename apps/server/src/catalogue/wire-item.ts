import { dollarsFromCents } from "@keepsats/domain";
import type { WireItem } from "@keepsats/protocol";
import type { Item } from "./item.ts";

/** An item as it goes on the wire, in dollars. */
export function wireItem(item: Item): WireItem {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    price: dollarsFromCents(item.price),
    image_url: item.imageUrl,
  };
}
