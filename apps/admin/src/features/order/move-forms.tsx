import type { StaffStatus } from "@keepsats/domain";
import {
  type AdminOrder,
  MAX_MOVE_MESSAGE,
  MAX_MOVE_REASON,
  type OrderMove,
  orderMoveSchema,
  shipWarnings,
} from "@keepsats/protocol";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { emptyAs } from "../../lib/form-schema.ts";
import { openLoansText } from "../../lib/format.ts";
import { moveOrder } from "../../lib/queries.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { ShipmentFields, shipmentLabels, trackingLink } from "./correct-forms.tsx";
import { cancelConsequences } from "./order-money.ts";
import { eraseOrder } from "./queries.ts";
import { type OrderFormProps, useOrderChange } from "./use-order-change.ts";

/** Moves an order. The server refuses it if the status has changed since the form was opened. */
function useMove(props: OrderFormProps, to: StaffStatus) {
  const [expected_status] = useState(props.order.status);
  const { attempt, finishWith } = useOrderChange(props, to);
  return async (input: Omit<OrderMove, "to" | "expected_status">) => {
    const { open_loans = [] } = await attempt(() =>
      moveOrder(props.order.id, { to, expected_status, ...input }),
    );
    finishWith(openLoansText(open_loans));
  };
}

const { carrier, tracking_number, reason, message } = orderMoveSchema.shape;
const shipSchema = z.object({
  carrier: emptyAs(undefined, carrier),
  tracking_number: emptyAs(undefined, tracking_number),
  tracking_url: emptyAs(undefined, z.optional(trackingLink)),
});

/** Ships an order. Shows warnings first, such as an open payment issue. */
export function ShipForm(props: OrderFormProps) {
  const { texts, hasIssue } = shipWarnings(props.order);
  const move = useMove(props, "Shipped");
  const form = useNewForm({
    schema: shipSchema,
    labels: shipmentLabels,
    values: { carrier: "", tracking_number: "", tracking_url: "" },
    save: (shipment) => move({ ...shipment, ...(hasIssue ? { despite_issue: true } : {}) }),
  });
  return (
    <ChangeForm form={form} submit={texts.length === 0 ? "Ship" : "Ship anyway"}>
      <FormLead>
        {texts.length > 0 && (
          <div role="alert" className="mb-4 space-y-1 wrap-anywhere text-danger">
            {texts.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        )}
        <p className="text-ink-soft">
          The customer gets an email with what you enter here. All fields are optional.
        </p>
      </FormLead>
      <ShipmentFields form={form} />
    </ChangeForm>
  );
}

export function DeliverForm(props: OrderFormProps) {
  const move = useMove(props, "Delivered");
  const form = useNewForm({ ...noFields, save: move });
  return (
    <ChangeForm form={form} submit="Mark as delivered">
      <FormLead>
        <p className="text-ink-soft">
          The customer gets an email saying that the order has arrived.
        </p>
      </FormLead>
    </ChangeForm>
  );
}

const noFields = { schema: z.object({}), labels: {}, values: {} };

const cancelSchema = z.object({
  reason: emptyAs(undefined, reason),
  message: emptyAs(undefined, message),
});

export function CancelForm(props: OrderFormProps<AdminOrder>) {
  const move = useMove(props, "Cancelled");
  const form = useNewForm({
    schema: cancelSchema,
    labels: {
      reason: "Reason, for staff only (optional)",
      message: "Text for the customer (optional)",
    },
    values: { reason: "", message: "" },
    save: move,
  });
  return (
    <ChangeForm form={form} submit="Cancel the order">
      <FormLead>
        {cancelConsequences(props.order).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </FormLead>
      <TextField form={form} name="reason" maxLength={MAX_MOVE_REASON} />
      <TextField form={form} name="message" rows={3} maxLength={MAX_MOVE_MESSAGE} />
    </ChangeForm>
  );
}

export function EraseForm(props: OrderFormProps) {
  const { attempt, finish } = useOrderChange(props, "Erased");
  const form = useNewForm({
    ...noFields,
    save: () => attempt(() => eraseOrder(props.order.id)).then(finish),
  });
  return (
    <ChangeForm form={form} submit="Erase">
      <FormLead>
        Name, email and addresses are erased permanently, also from notes, emails and messages.
        Items and amounts stay for accounting.
      </FormLead>
    </ChangeForm>
  );
}
