import type { InStock, Item } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";

/**
 * The button "Add to Cart" of an item. It is disabled when the item is sold out, which a
 * {@link StockNote} beside it says.
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

interface StockNoteProps {
  /** `undefined` where the server does not say. */
  readonly inStock: InStock | undefined;
  readonly className?: string;
}

/** "Only 2 left" or "Sold out"; nothing while there are enough. */
export function StockNote({ inStock, className }: StockNoteProps) {
  if (inStock === undefined || inStock === true) return null;
  return (
    <p className={classes("text-sm font-medium", className)}>
      {inStock === false ? "Sold out" : `Only ${inStock} left`}
    </p>
  );
}
