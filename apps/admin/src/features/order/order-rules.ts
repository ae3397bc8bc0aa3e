import {
  awaitsShipping,
  canMove,
  isOpenReturn,
  isOrderStatus,
  isPaidStatus,
  returnablePieces,
} from "@keepsats/domain";
import { type AdminOrder, amountsOf } from "@keepsats/protocol";

export type OrderAction =
  | "ship"
  | "deliver"
  | "cancel"
  | "correct-address"
  | "correct-shipment"
  | "refund"
  | "return"
  | "erase";

/** The actions of packers. */
export type PackingAction = Extract<OrderAction, "ship" | "deliver" | "correct-shipment">;

type ActionableOrder = Pick<
  AdminOrder,
  "status" | "erased_at" | "items" | "returns" | "refund_lines"
> & {
  readonly ledger: Pick<AdminOrder["ledger"], "unknown_amounts" | "grantable"> &
    Parameters<typeof amountsOf>[0];
};

/** The possible actions for an order, the next one first. */
export function actionsOf(order: ActionableOrder): readonly OrderAction[] {
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

function isReturnable({ status, erased_at, ...order }: ActionableOrder): boolean {
  const { items, returns = [], refund_lines = [] } = order;
  const hasShipped = isPaidStatus(status) && !awaitsShipping(status);
  const pieces = returnablePieces(items, returns, refund_lines);
  return hasShipped && erased_at === null && pieces.length > 0;
}

/** Whether an action is recommended, not only possible. */
export function isNext(action: OrderAction, { ledger }: Pick<ActionableOrder, "ledger">): boolean {
  if (action === "refund") return amountsOf(ledger, "refund_due").length > 0;
  return action === "ship" || action === "deliver";
}

/** The possible actions of packers, the next one first. */
export function packingActionsOf({
  status,
}: Pick<ActionableOrder, "status">): readonly PackingAction[] {
  if (!isOrderStatus(status)) return [];
  if (canMove(status, "Shipped")) return ["ship"];
  if (status === "Shipped") return ["deliver", "correct-shipment"];
  return [];
}
