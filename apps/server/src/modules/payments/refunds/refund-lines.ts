import { type FieldError, type LinePieces, lineErrors, piecesOfReturns } from "@keepsats/domain";
import type { RefundLine } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import {
  findRefundLines,
  findReturnsOfOrder,
  type RestockLines,
  sumOfPieces,
} from "../../orders/index.ts";

/** The pieces of an order's line that staff grant a refund for. */
export interface GrantedLine {
  readonly itemId: string;
  readonly quantity: number;
  /** How many of these pieces return to the stock. */
  readonly restock: number;
}

/** A line of an order. An order has one line for each item. */
interface OrderedLine {
  readonly itemId: string;
  readonly position: number;
  readonly name: string;
  readonly quantity: number;
}

async function findOrderedLines(db: Queries, orderId: string): Promise<OrderedLine[]> {
  return db
    .selectFrom("order_lines")
    .select(["item_id as itemId", "position", "name", "quantity"])
    .where("order_id", "=", orderId)
    .orderBy("position")
    .execute();
}

/**
 * The lines that name another item, or more pieces than earlier refunds and returns have left: the
 * pieces of a return are refunded from it, and end it.
 *
 * @param returnId the return that is refunded
 */
export async function grantErrors(
  db: Queries,
  { orderId, returnId }: { readonly orderId: string; readonly returnId: string | undefined },
  lines: readonly GrantedLine[],
): Promise<FieldError[]> {
  const ordered = await findOrderedLines(db, orderId);
  const refunded = (await findRefundLines(db, [orderId])).get(orderId) ?? [];
  const returns = await findReturnsOfOrder(db, orderId);
  const returning = returnId === undefined ? piecesOfReturns(returns) : [];
  const wanted = lines.map(({ itemId, quantity }) => ({ item_id: itemId, quantity }));
  const left = ordered.map(({ itemId, quantity }) => ({
    item_id: itemId,
    quantity: quantity - piecesOf(refunded, itemId) - piecesOf(returning, itemId),
  }));
  return lineErrors(wanted, left, (itemId) => left.some(({ item_id }) => item_id === itemId));
}

/**
 * Whether a repeated request names the lines that the refund was recorded with, and restocks as many
 * pieces. Of an item without a stock count no piece was restocked, so its number is not compared.
 */
export async function hasLines(
  db: Queries,
  { orderId, refundId }: { readonly orderId: string; readonly refundId: string },
  lines: readonly GrantedLine[],
): Promise<boolean> {
  const stored = ((await findRefundLines(db, [orderId])).get(orderId) ?? []).filter(
    ({ refund_id }) => refund_id === refundId,
  );
  return (
    lines.length === stored.length &&
    lines.every(({ itemId, quantity, restock }) =>
      stored.some(
        (line) =>
          line.item_id === itemId &&
          line.quantity === quantity &&
          (line.restocked === restock || line.restocked === 0),
      ),
    )
  );
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
  const restocked = lines.filter(({ restock }) => restock > 0);
  const pieces = sumOfPieces(restocked.map(({ itemId, restock }) => ({ itemId, pieces: restock })));
  const counted = await restockLines(unit, orderId, pieces);
  const ordered = await findOrderedLines(unit.db, orderId);
  const granted = lines.flatMap(({ itemId, quantity, restock }) => {
    const line = ordered.find((one) => one.itemId === itemId);
    return line === undefined
      ? []
      : [{ ...line, quantity, restocked: counted.has(itemId) ? restock : 0 }];
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
  return granted.map(({ itemId, name, quantity, restocked }) => ({
    item_id: itemId,
    name,
    quantity,
    restocked,
  }));
}

function piecesOf(lines: readonly LinePieces[], itemId: string): number {
  return lines.reduce(
    (sum, { item_id, quantity }) => (item_id === itemId ? sum + quantity : sum),
    0,
  );
}
