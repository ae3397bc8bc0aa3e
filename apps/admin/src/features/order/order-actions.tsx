import type { AdminOrder } from "@keepsats/protocol";
import type { OrderView } from "../../lib/queries.ts";
import { ActionButtons, type ActionForm } from "./action-buttons.tsx";
import { AddressForm, ShipmentForm } from "./correct-forms.tsx";
import { CancelForm, DeliverForm, EraseForm, ShipForm } from "./move-forms.tsx";
import { OrderRefundForm } from "./order-refund-form.tsx";
import {
  actionsOf,
  isNext,
  type OrderAction,
  type PackingAction,
  packingActionsOf,
} from "./order-rules.ts";
import { OpenReturnForm } from "./return-forms.tsx";

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
