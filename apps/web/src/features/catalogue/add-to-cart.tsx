import type { Item } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";

/**
 * The button "Add to Cart" of an item. It is disabled when the item is sold out, which a
 * `StockNote` beside it says.
 */
export function AddToCart({ item, onAdd }: { item: Item; onAdd: (item: Item) => void }) {
  return (
    <Button
      kind="strong"
      className="relative w-full"
      disabled={item.in_stock === false}
      onClick={() => onAdd(item)}
    >
      <span>
        Add to Cart <span className="sr-only">{item.name}</span>
      </span>
    </Button>
  );
}
