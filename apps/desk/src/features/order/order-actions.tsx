import type { MerchantOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { type ComponentType, useState } from "react";
import { FormModal } from "../../ui/form-modal.tsx";
import { lateText } from "../../ui/order-words.ts";
import { AddressForm, ShipmentForm } from "./correct-forms.tsx";
import { CancelForm, DeliverForm, EraseForm, ShipForm } from "./move-forms.tsx";
import type { OrderFormProps } from "./order-changes.ts";
import { OrderRefundForm } from "./order-refund-form.tsx";
import { actionsOf, isNext, type OrderAction } from "./order-rules.ts";

interface ActionText {
  readonly button: string;
  readonly title: string;
  readonly Form: ComponentType<OrderFormProps>;
}

const actions: Record<OrderAction, ActionText> = {
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
  erase: { button: "Erase person…", title: "Erase name, email and addresses", Form: EraseForm },
};

/**
 * The buttons for what can be done with the order now. An open form stays open when that changes.
 */
export function OrderActions({ order }: { order: MerchantOrder }) {
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
              {lateText(order, Date.now())}.
            </p>
          )}
          <Form order={order} onDone={close} />
        </FormModal>
      )}
    </>
  );
}
