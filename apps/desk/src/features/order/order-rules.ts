import { awaitsShipping, canMove, isOrderStatus } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

export type OrderAction =
  | "ship"
  | "deliver"
  | "cancel"
  | "correct-address"
  | "correct-shipment"
  | "refund"
  | "erase";

type Judged = Pick<MerchantOrder, "status" | "erased_at"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "refund_due" | "refundable">;
};

/** What staff can do with an order as it is now; what is next comes first. */
export function actionsOf({ status, erased_at, ledger }: Judged): readonly OrderAction[] {
  const actions: OrderAction[] = ledger.refundable > 0 ? ["refund"] : [];
  if (!isOrderStatus(status)) return actions;
  if (canMove(status, "Shipped")) actions.unshift("ship");
  if (canMove(status, "Delivered")) actions.unshift("deliver");
  if (status === "Shipped" || status === "Delivered") actions.push("correct-shipment");
  if (awaitsShipping(status) && erased_at === null) actions.push("correct-address");
  if (canMove(status, "Cancelled")) actions.push("cancel");
  const isOver = status === "Cancelled" || status === "Delivered";
  if (isOver && ledger.refund_due === 0 && erased_at === null) actions.push("erase");
  return actions;
}

/** Whether an action is what staff should do next, not only what they can do. */
export function isNext(action: OrderAction, { ledger }: Pick<Judged, "ledger">): boolean {
  return (
    action === "ship" || action === "deliver" || (action === "refund" && ledger.refund_due > 0)
  );
}
