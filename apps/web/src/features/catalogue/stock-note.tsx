import type { InStock } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";

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
