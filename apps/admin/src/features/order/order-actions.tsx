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
import { ActionButtons, type ActionForm } from "./action-buttons.tsx";
import { AddressForm, ShipmentForm } from "./correct-forms.tsx";
import { CancelForm, DeliverForm, EraseForm, ShipForm } from "./move-forms.tsx";
import { OrderRefundForm } from "./order-refund-form.tsx";
import { OpenReturnForm } from "./return-forms.tsx";

type OrderAction =
  | "ship"
  | "deliver"
  | "cancel"
  | "correct-address"
  | "correct-shipment"
  | "refund"
  | "return"
  | "erase";

type PackingAction = Extract<OrderAction, "ship" | "deliver" | "correct-shipment">;

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

const packingActions: Record<PackingAction, ActionForm<{ order: OrderView }>> = {
  ship: { button: "Ship…", title: "Ship this order", Form: ShipForm },
  deliver: {
    button: "Mark as delivered…",
    title: "Mark this order as delivered",
    Form: DeliverForm,
  },
  "correct-shipment": {
    button: "Correct shipment…",
    title: "Correct the shipment",
    Form: ShipmentForm,
  },
};

const actions: Record<OrderAction, ActionForm<{ order: AdminOrder }>> = {
  ...packingActions,
  refund: { button: "Refund…", title: "Record a refund", Form: OrderRefundForm },
  return: { button: "Return…", title: "Open a return", Form: OpenReturnForm },
  "correct-address": {
    button: "Correct address…",
    title: "Correct the shipping address",
    Form: AddressForm,
  },
  cancel: { button: "Cancel…", title: "Cancel this order", Form: CancelForm },
  erase: {
    button: "Erase personal data…",
    title: "Erase name, email and addresses",
    Form: EraseForm,
  },
};

export function OrderActions({ order }: { order: AdminOrder }) {
  const possible = actionsOf(order).map((action) => ({
    ...actions[action],
    isNext: isNext(action, order),
  }));
  return <ActionButtons actions={possible} about={{ order }} />;
}

export function PackingActions({ order }: { order: OrderView }) {
  const possible = packingActionsOf(order).map((action) => ({
    ...packingActions[action],
    isNext: action !== "correct-shipment",
  }));
  return <ActionButtons actions={possible} about={{ order }} />;
}
