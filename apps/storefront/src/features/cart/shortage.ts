import type { CartLine } from "@keepsats/domain";
import type { StockByItem } from "@keepsats/protocol";

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
  if (left === false) return "Sold out";
  return left === true || left >= quantity ? undefined : `Only ${left} left`;
}

/** The remaining pieces, if there are some, but fewer than in the line. */
export function fewerLeft(
  { id, quantity }: CartLine,
  stock: StockByItem | undefined,
): number | undefined {
  const left = stock?.get(id);
  return typeof left === "number" && left < quantity ? left : undefined;
}
