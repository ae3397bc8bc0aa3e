import {
  awaitsShipping,
  canMove,
  isOpenReturn,
  isOrderStatus,
  isPaidStatus,
  returnablePieces,
} from "@keepsats/domain";
import { type AdminOrder, amountsOf } from "@keepsats/protocol";
import type { OrderView } from "../../lib/queries.ts";

export type OrderAction =
  | "ship"
  | "deliver"
  | "cancel"
  | "correct-address"
  | "correct-shipment"
  | "refund"
  | "return"
  | "erase";

export type PackingAction = Extract<OrderAction, "ship" | "deliver" | "correct-shipment">;

/** The possible actions for an order, the next one first. */
export function actionsOf(order: AdminOrder): readonly OrderAction[] {
  const { status, erased_at, ledger, returns = [] } = order;
  const hasOpenMoney = ledger.unknown_amounts > 0 || amountsOf(ledger, "refundable").length > 0;
  const actions: OrderAction[] = hasOpenMoney ? ["refund"] : [];
  if (!isOrderStatus(status)) return actions;
  if (canMove(status, "Shipped")) actions.unshift("ship");
  if (canMove(status, "Delivered")) actions.unshift("deliver");
  if (status === "Shipped") actions.push("correct-shipment");
  if (awaitsShipping(status) && erased_at === null) actions.push("correct-address");
  const isGrantable = isPaidStatus(status) && erased_at === null && (ledger.grantable ?? 0) > 0;
  if (!hasOpenMoney && isGrantable) actions.push("refund");
  if (isReturnable(order)) actions.push("return");
  if (canMove(status, "Cancelled")) actions.push("cancel");
  const isOver = status === "Cancelled" || status === "Delivered";
  const hasOpenReturn = returns.some(({ state }) => isOpenReturn(state));
  if (isOver && !hasOpenMoney && !hasOpenReturn && erased_at === null) actions.push("erase");
  return actions;
}

function isReturnable({ status, erased_at, ...order }: AdminOrder): boolean {
  const { items, returns = [], refund_lines = [] } = order;
  const hasShipped = isPaidStatus(status) && !awaitsShipping(status);
  const pieces = returnablePieces(items, returns, refund_lines);
  return hasShipped && erased_at === null && pieces.length > 0;
}

/** Whether an action is recommended, not only possible. */
export function isNext(action: OrderAction, { ledger }: AdminOrder): boolean {
  if (action === "refund") return amountsOf(ledger, "refund_due").length > 0;
  return action === "ship" || action === "deliver";
}

/** The possible actions of packers, the next one first. */
export function packingActionsOf({ status }: OrderView): readonly PackingAction[] {
  if (!isOrderStatus(status)) return [];
  if (canMove(status, "Shipped")) return ["ship"];
  if (status === "Shipped") return ["deliver", "correct-shipment"];
  return [];
}
