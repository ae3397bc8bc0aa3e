import type { UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { type ItemsForSale, sumOfPieces } from "./items-for-sale.ts";

/**
 * Gives the pieces that the lines of these orders took back to the stock. The caller has locked and
 * cancelled the orders.
 */
export async function giveBackPieces(
  unit: UnitOfWork,
  orderIds: readonly string[],
  giveBack: ItemsForSale["giveBack"],
): Promise<void> {
  if (orderIds.length === 0) return;
  const lines = await unit.db
    .selectFrom("order_lines")
    .select(["item_id as itemId", "taken as pieces"])
    .where("order_id", "in", padded(orderIds))
    .where("taken", ">", 0)
    .execute();
  if (lines.length === 0) return;
  await unit.db
    .updateTable("order_lines")
    .set({ taken: 0 })
    .where("order_id", "in", padded(orderIds))
    .where("taken", ">", 0)
    .execute();
  await giveBack(unit, sumOfPieces(lines));
}
