import { itemTitle } from "@keepsats/domain";
import type { InStock, Item } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";

/** Disabled if the item is sold out; a {@link StockNote} beside it says so. */
export function AddToCart({ item, onAdd }: { item: Item; onAdd: (item: Item) => void }) {
  return (
    <Button
      kind="strong"
      className="relative w-full"
      disabled={item.in_stock === false}
      onClick={() => onAdd(item)}
    >
      <span>
        Add to Cart <span className="sr-only">{itemTitle(item)}</span>
      </span>
    </Button>
  );
}

interface StockNoteProps {
  /** `undefined` if the server does not report it. */
  readonly inStock: InStock | undefined;
  readonly className?: string;
}

/** "Only 2 left" or "Sold out"; nothing if there are more. */
export function StockNote({ inStock, className }: StockNoteProps) {
  const text = stockText(inStock);
  return text && <p className={classes("text-sm font-medium", className)}>{text}</p>;
}

export function stockText(inStock: InStock | undefined): string | undefined {
  if (inStock === undefined || inStock === true) return undefined;
  return inStock === false ? "Sold out" : `Only ${inStock} left`;
}
