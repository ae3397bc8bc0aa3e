import { itemTitle, MAX_LINES, MAX_QUANTITY } from "@keepsats/domain";
import type { InStock, Item } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { addToCart } from "../../lib/cart-store.ts";
import { stockText } from "../../lib/stock.ts";

/** @returns why the item was not added: the cart or the line is full */
export function addItem(item: Item) {
  const name = itemTitle(item);
  switch (addToCart({ ...item, name })) {
    case "added":
      return undefined;
    case "too-many-lines":
      return {
        title: "Your cart is full",
        description: `An order can have up to ${MAX_LINES} different items.`,
      };
    case "too-many-pieces":
      return {
        title: `${name} was not added`,
        description: `An order can have up to ${MAX_QUANTITY} of one item.`,
      };
  }
}

/** Disabled if the item is sold out; a {@link StockNote} beside it says so. */
export function AddToCart({ item, onAdd }: { item: Item; onAdd: () => void }) {
  return (
    <Button
      kind="strong"
      className="relative w-full"
      disabled={item.in_stock === false}
      onClick={onAdd}
    >
      <span>
        Add to Cart <span className="sr-only">{itemTitle(item)}</span>
      </span>
    </Button>
  );
}

/** "Only 2 left" or "Sold out"; nothing if there are more. */
export function StockNote({ inStock }: { inStock: InStock | undefined }) {
  const text = stockText(inStock);
  return text && <p className="mt-1 text-sm font-medium">{text}</p>;
}
