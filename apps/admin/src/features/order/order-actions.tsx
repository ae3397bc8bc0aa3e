import type { AdminOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { type ComponentType, useState } from "react";
import { refundStateOf } from "../../lib/refunds.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { statusChangeText } from "../../ui/order-labels.tsx";
import { RefundForm } from "../../ui/refund-form.tsx";
import { AddressForm, ShipmentForm } from "./correct-forms.tsx";
import { CancelForm, DeliverForm, EraseForm, ShipForm } from "./move-forms.tsx";
import { actionsOf, isNext, type OrderAction } from "./order-rules.ts";
import { useOrder } from "./queries.ts";
import type { OrderFormProps } from "./use-order-change.ts";

interface Action {
  readonly button: string;
  readonly title: string;
  readonly Form: ComponentType<OrderFormProps>;
}

const actions: Record<OrderAction, Action> = {
  ship: { button: "Ship…", title: "Ship this order", Form: ShipForm },
  deliver: { button: "Delivered…", title: "This order has arrived", Form: DeliverForm },
  refund: { button: "Refund…", title: "Record a refund", Form: OrderRefundForm },
  "correct-address": {
    button: "Correct address…",
    title: "Correct the shipping address",
    Form: AddressForm,
  },
  "correct-shipment": {
    button: "Correct shipment…",
    title: "Correct the shipment",
    Form: ShipmentForm,
  },
  cancel: { button: "Cancel…", title: "Cancel this order", Form: CancelForm },
  erase: {
    button: "Erase personal data…",
    title: "Erase name, email and addresses",
    Form: EraseForm,
  },
};

/**
 * The buttons for the possible actions. An open form stays open when an action becomes impossible.
 */
export function OrderActions({ order }: { order: AdminOrder }) {
  const [open, setOpen] = useState<{ action: OrderAction; status: string }>();
  const close = () => setOpen(undefined);
  const { title, Form } = actions[open?.action ?? "ship"];
  return (
    <>
      {actionsOf(order).map((action) => (
        <Button
          key={action}
          kind={isNext(action, order) ? "strong" : "plain"}
          onClick={() => setOpen({ action, status: order.status })}
        >
          {actions[action].button}
        </Button>
      ))}
      {open !== undefined && (
        <FormModal title={title} onClose={close}>
          {open.status !== order.status && (
            <p role="status" className="mb-4 text-danger">
              {statusChangeText(order, Date.now())}.
            </p>
          )}
          <Form order={order} onDone={close} />
        </FormModal>
      )}
    </>
  );
}

function OrderRefundForm({ order, onDone }: OrderFormProps) {
  const { read, invalidate } = useOrder(order);
  return (
    <RefundForm
      state={refundStateOf(order)}
      read={async () => refundStateOf(await read())}
      onDone={() => {
        invalidate();
        onDone();
      }}
    />
  );
}
