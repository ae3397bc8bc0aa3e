import type { LinePieces } from "@keepsats/domain";
import type { RefundLine } from "@keepsats/protocol";
import { sql } from "kysely";
import { padKeys, type Queries, type UnitOfWork } from "../../platform/database/database.ts";
import type { Stock } from "../catalogue/index.ts";
import { type Pieces, sumOfPieces } from "./placing/quote.ts";

/** The pieces of an order's line that staff grant a refund for. */
export interface GrantedLine extends LinePieces {
  /** How many of these pieces return to the stock. */
  readonly restock?: number | undefined;
}

/** Reads the lines of all granted refunds, also of those that did not arrive, by order id. */
export async function findRefundLines(db: Queries, orderIds: readonly string[]) {
  const rows = await db
    .selectFrom("refund_lines as refunded")
    .innerJoin("order_lines as line", (join) =>
      join
        .onRef("line.order_id", "=", "refunded.order_id")
        .onRef("line.position", "=", "refunded.position"),
    )
    .select([
      "refunded.order_id",
      "refunded.refund_id",
      "line.item_id",
      "refunded.quantity",
      "refunded.restocked",
    ])
    .where("refunded.order_id", "in", padKeys(orderIds))
    .orderBy("refunded.refund_id")
    .orderBy("refunded.position")
    .execute();
  return Map.groupBy(rows, ({ order_id }) => order_id);
}

export async function findRefundLinesOfOrder(db: Queries, orderId: string) {
  return (await findRefundLines(db, [orderId])).get(orderId) ?? [];
}

export type RestockLines = ReturnType<typeof createRestockLines>;

/**
 * Returns pieces of an order to the stock, for a refund, and resolves to the ids of the items whose
 * stock is counted. A later cancellation restocks only the others. The caller has locked the order,
 * and all other names that its transaction needs.
 */
export function createRestockLines(restock: Stock["restock"]) {
  return async (
    unit: UnitOfWork,
    orderId: string,
    pieces: Pieces,
  ): Promise<ReadonlySet<string>> => {
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

/**
 * Stores the lines of a granted refund, and restocks their pieces.
 *
 * @returns the lines with their names, and the pieces that were added to the stock
 */
export async function storeRefundLines(
  unit: UnitOfWork,
  { orderId, refundId }: { readonly orderId: string; readonly refundId: string },
  lines: readonly GrantedLine[],
  restockLines: RestockLines,
): Promise<(RefundLine & { readonly name: string })[]> {
  if (lines.length === 0) return [];
  const pieces = lines.flatMap(({ item_id, restock = 0 }) =>
    restock > 0 ? { item_id, quantity: restock } : [],
  );
  const counted = await restockLines(unit, orderId, sumOfPieces(pieces));
  const ordered = await unit.db
    .selectFrom("order_lines")
    .select(["item_id", "position", "name"])
    .where("order_id", "=", orderId)
    .execute();
  const granted = lines.flatMap(({ item_id, quantity, restock = 0 }) => {
    const line = ordered.find((one) => one.item_id === item_id);
    const restocked = counted.has(item_id) ? restock : 0;
    return line === undefined ? [] : [{ ...line, quantity, restocked }];
  });
  await unit.insertAll({
    refund_lines: granted.map(({ position, quantity, restocked }) => ({
      order_id: orderId,
      refund_id: refundId,
      position,
      quantity,
      restocked,
    })),
  });
  return granted.map(({ position: _, ...line }) => line);
}
