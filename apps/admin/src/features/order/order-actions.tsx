import type { AdminOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { type FunctionComponent, useState } from "react";
import type { PackingOrderView } from "../../lib/queries.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { statusChangeText } from "../../ui/order-labels.tsx";
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
import type { OrderFormProps } from "./use-order-change.ts";

interface Action<Order extends PackingOrderView> {
  readonly button: string;
  readonly title: string;
  readonly Form: FunctionComponent<OrderFormProps<Order>>;
}

const packingActions: Record<PackingAction, Action<PackingOrderView>> = {
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

const actions: Record<OrderAction, Action<AdminOrder>> = {
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
  return (
    <ActionButtons
      order={order}
      actions={actions}
      possible={actionsOf(order)}
      isStrong={(action) => isNext(action, order)}
    />
  );
}

export function PackingActions({ order }: { order: PackingOrderView }) {
  return (
    <ActionButtons
      order={order}
      actions={packingActions}
      possible={packingActionsOf(order)}
      isStrong={(action) => action !== "correct-shipment"}
    />
  );
}

interface ActionButtonsProps<Name extends string, Order extends PackingOrderView> {
  readonly order: Order;
  readonly actions: Record<Name, Action<Order>>;
  readonly possible: readonly Name[];
  readonly isStrong: (action: Name) => boolean;
}

/**
 * The buttons for the possible actions. An open form stays open when an action becomes impossible.
 */
function ActionButtons<Name extends string, Order extends PackingOrderView>({
  order,
  actions,
  possible,
  isStrong,
}: ActionButtonsProps<Name, Order>) {
  const [open, setOpen] = useState<Action<Order> & { readonly status: string }>();
  const close = () => setOpen(undefined);
  return (
    <>
      {possible.map((action) => (
        <Button
          key={action}
          kind={isStrong(action) ? "strong" : "plain"}
          onClick={() => setOpen({ ...actions[action], status: order.status })}
        >
          {actions[action].button}
        </Button>
      ))}
      {open !== undefined && (
        <FormModal title={open.title} onClose={close}>
          {open.status !== order.status && (
            <p role="status" className="mb-4 text-danger">
              {statusChangeText(order, Date.now())}.
            </p>
          )}
          <open.Form order={order} onDone={close} />
        </FormModal>
      )}
    </>
  );
}
