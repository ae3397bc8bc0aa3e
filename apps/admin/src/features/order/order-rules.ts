import { awaitsShipping, canMove, isOrderStatus } from "@keepsats/domain";
import { type AdminOrder, amountsOf } from "@keepsats/protocol";

export type OrderAction =
  | "ship"
  | "deliver"
  | "cancel"
  | "correct-address"
  | "correct-shipment"
  | "refund"
  | "erase";

type ActionableOrder = Pick<AdminOrder, "status" | "erased_at"> & {
  readonly ledger: Pick<AdminOrder["ledger"], "unknown_amounts"> & Parameters<typeof amountsOf>[0];
};

/** The possible actions for an order, the next one first. */
export function actionsOf({ status, erased_at, ledger }: ActionableOrder): readonly OrderAction[] {
  const hasOpenMoney = ledger.unknown_amounts > 0 || amountsOf(ledger, "refundable").length > 0;
  const actions: OrderAction[] = hasOpenMoney ? ["refund"] : [];
  if (!isOrderStatus(status)) return actions;
  if (canMove(status, "Shipped")) actions.unshift("ship");
  if (canMove(status, "Delivered")) actions.unshift("deliver");
  if (status === "Shipped") actions.push("correct-shipment");
  if (awaitsShipping(status) && erased_at === null) actions.push("correct-address");
  if (canMove(status, "Cancelled")) actions.push("cancel");
  const isOver = status === "Cancelled" || status === "Delivered";
  if (isOver && !hasOpenMoney && erased_at === null) actions.push("erase");
  return actions;
}

/** Whether an action is recommended, not only possible. */
export function isNext(action: OrderAction, { ledger }: Pick<ActionableOrder, "ledger">): boolean {
  if (action === "refund") return amountsOf(ledger, "refund_due").length > 0;
  return action === "ship" || action === "deliver";
}
