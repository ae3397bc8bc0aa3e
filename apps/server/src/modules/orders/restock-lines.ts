import { sql } from "kysely";
import type { UnitOfWork } from "../../platform/database/database.ts";
import type { ItemsForSale, Pieces } from "./quote.ts";

/**
 * Returns pieces of an order to the stock, for a refund. A later cancellation restocks only the
 * others. The caller has locked the order, and all other names that its transaction needs.
 *
 * @returns the ids of the items whose stock is counted
 */
export type RestockLines = (
  unit: UnitOfWork,
  orderId: string,
  pieces: Pieces,
) => Promise<ReadonlySet<string>>;

export function createRestockLines(restock: ItemsForSale["restock"]): RestockLines {
  return async (unit, orderId, pieces) => {
    if (pieces.size === 0) return new Set();
    for (const [itemId, count] of pieces)
      await unit.db
        .updateTable("order_lines")
        .set({ taken: sql<number>`CASE WHEN taken > ${count} THEN taken - ${count} ELSE 0 END` })
        .where("order_id", "=", orderId)
        .where("item_id", "=", itemId)
        .execute();
    return restock(unit, pieces);
  };
}
