import { type FieldError, lineErrors, piecesLeft, piecesOfReturns } from "@keepsats/domain";
import type { Queries } from "../../../platform/database/database.ts";
import {
  findRefundLinesOfOrder,
  findReturnsOfOrder,
  type GrantedLine,
  type Order,
} from "../../orders/index.ts";

/**
 * The lines that name another item, or more pieces than earlier refunds and returns have left: the
 * pieces of a return are refunded from it, and end it.
 *
 * @param returnId the return that is refunded
 */
export async function grantErrors(
  db: Queries,
  { id, items }: Pick<Order, "id" | "items">,
  lines: readonly GrantedLine[],
  returnId: string | undefined,
): Promise<FieldError[]> {
  const refunded = await findRefundLinesOfOrder(db, id);
  const returning = returnId === undefined ? piecesOfReturns(await findReturnsOfOrder(db, id)) : [];
  const taken = [...refunded, ...returning];
  const left = items.map((item) => ({ item_id: item.id, quantity: piecesLeft(item, taken) }));
  return lineErrors(lines, left, (itemId) => items.some((item) => item.id === itemId));
}

/**
 * Whether a repeated request names the return and the lines that the refund was recorded with, and
 * restocks as many pieces. Of an item without a stock count no piece was restocked, so its number is
 * not compared.
 */
export async function isSameGrant(
  db: Queries,
  { orderId, refundId }: { readonly orderId: string; readonly refundId: string },
  lines: readonly GrantedLine[],
  returnId: string | undefined,
): Promise<boolean> {
  const returns = await findReturnsOfOrder(db, orderId);
  if (returns.find(({ refund_id }) => refund_id === refundId)?.id !== returnId) return false;
  const refunded = await findRefundLinesOfOrder(db, orderId);
  const stored = refunded.filter(({ refund_id }) => refund_id === refundId);
  return (
    lines.length === stored.length &&
    lines.every(({ item_id, quantity, restock = 0 }) =>
      stored.some(
        (line) =>
          line.item_id === item_id &&
          line.quantity === quantity &&
          (line.restocked === restock || line.restocked === 0),
      ),
    )
  );
}
