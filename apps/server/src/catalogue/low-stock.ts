/** The merchant is told when so few pieces of an item are left. */
const LOW_STOCK = 3;
/** Pieces that orders give back count as a refill only above this count, so that the merchant is not told of every order. */
const REFILLED = 2 * LOW_STOCK;

/** Whether few pieces are left; never of an item that is not counted. */
export function isLow(stock: number | null): boolean {
  return stock !== null && stock <= LOW_STOCK;
}

/** Whether so many pieces are left again that the next low stock is news. */
export function isRefilled(stock: number): boolean {
  return stock > REFILLED;
}
