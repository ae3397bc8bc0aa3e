import type { BasketLine } from "@keepsats/domain";

/**
 * What is left of each item by its id, as `GET /api/items` says it: `false` for nothing, a small
 * count, or `true` for enough. An item that is missing is not for sale.
 */
export type Stock = ReadonlyMap<string, boolean | number>;

/**
 * Says what is wrong when a line has more pieces than are left.
 *
 * @param stock `undefined` until it is known
 * @returns `undefined` when there are enough
 */
export function shortageOf(
  { id, quantity }: BasketLine,
  stock: Stock | undefined,
): string | undefined {
  if (stock === undefined) return undefined;
  const left = stock.get(id);
  if (left === undefined) return "No longer available";
  if (left === false) return "Sold out";
  return left === true || left >= quantity ? undefined : `Only ${left} left`;
}

/**
 * How many pieces a line can still have, if that is fewer than it has and not none; otherwise
 * `undefined`.
 */
export function fewerLeft(
  { id, quantity }: BasketLine,
  stock: Stock | undefined,
): number | undefined {
  const left = stock?.get(id);
  return typeof left === "number" && left < quantity ? left : undefined;
}
