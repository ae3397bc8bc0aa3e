import type { CartLine } from "@keepsats/domain";
import type { InStock, StockByItem } from "@keepsats/protocol";

/** "Only 2 left" or "Sold out"; nothing if there are more, or the server does not report it. */
export function stockText(inStock: InStock = true): string | undefined {
  if (inStock === true) return undefined;
  return inStock === false ? "Sold out" : `Only ${inStock} left`;
}

/**
 * Describes the shortage if a line has more pieces than are left.
 *
 * @param stock `undefined` until the items are loaded
 */
export function shortageOf(
  { id, quantity }: CartLine,
  stock: StockByItem | undefined,
): string | undefined {
  if (stock === undefined) return undefined;
  const left = stock.get(id);
  if (left === undefined) return "No longer available";
  return typeof left === "number" && left >= quantity ? undefined : stockText(left);
}

/** The remaining pieces, if there are some, but fewer than in the line. */
export function fewerLeft(
  { id, quantity }: CartLine,
  stock: StockByItem | undefined,
): number | undefined {
  const left = stock?.get(id);
  return typeof left === "number" && left < quantity ? left : undefined;
}
