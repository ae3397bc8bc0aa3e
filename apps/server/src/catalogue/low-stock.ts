import type { Queries } from "../db/database.ts";

/** The merchant is told when so few pieces of an item are left. */
const LOW_STOCK = 3;
/**
 * Pieces that orders give back count as a refill only above this count, so that the merchant is not
 * told of every order.
 */
const REFILLED = 2 * LOW_STOCK;

/** Whether few pieces are left; never of an item that is not counted. */
export function isLow(stock: number | null): boolean {
  return stock !== null && stock <= LOW_STOCK;
}

/** Whether so many pieces are left again that the next low stock is news. */
export function isRefilled(stock: number): boolean {
  return stock > REFILLED;
}

/** Counts the items on sale of which few pieces are left, and those of which none is left. */
export async function countLowItems(
  db: Queries,
): Promise<{ readonly low: number; readonly soldOut: number }> {
  // The literals of the index `items_told`: a parameter would keep the database from using it.
  const rows = await db
    .selectFrom("items")
    .select("stock")
    .where(({ eb, lit }) => eb("low_told", "=", lit(1)))
    .where("hidden", "=", 0)
    .where("stock", "<=", LOW_STOCK)
    .execute();
  const soldOut = rows.filter(({ stock }) => stock === 0).length;
  return { low: rows.length - soldOut, soldOut };
}
