import { type AdminOrder, shipWarnings, transitionRequestSchema } from "@keepsats/protocol";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { emptyAs } from "../../lib/form-schema.ts";
import { openLoansText } from "../../lib/format.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { ShipmentFields, shipmentLabels, trackingLink } from "./correct-forms.tsx";
import { cancelConsequences } from "./order-money.ts";
import { eraseOrder, moveOrder } from "./queries.ts";
import { type OrderFormProps, useOrderChange } from "./use-order-change.ts";

/**
 * The status when the form was opened. The server refuses the change if it is no longer current.
 */
function useExpectedStatus({ order }: OrderFormProps): string {
  const [status] = useState(order.status);
  return status;
}

const { carrier, tracking_number, reason, message } = transitionRequestSchema.shape;
const shipSchema = z.object({
  carrier: emptyAs(undefined, carrier),
  tracking_number: emptyAs(undefined, tracking_number),
  tracking_url: emptyAs(undefined, z.optional(trackingLink)),
});

/** Ships an order. Shows warnings first, such as an open payment issue. */
export function ShipForm(props: OrderFormProps) {
  const { texts, hasIssue } = shipWarnings(props.order);
  const expected_status = useExpectedStatus(props);
  const { attempt, finish } = useOrderChange(props, "Shipped");
  const form = useNewForm({
    schema: shipSchema,
    labels: shipmentLabels,
    values: { carrier: "", tracking_number: "", tracking_url: "" },
    save: (shipment) =>
      attempt(() =>
        moveOrder(props.order.id, {
          to: "Shipped",
          expected_status,
          ...shipment,
          ...(hasIssue ? { despite_issue: true } : {}),
        }),
      ).then(finish),
  });
  return (
    <ChangeForm form={form} submit={texts.length === 0 ? "Ship" : "Ship anyway"}>
      <FormLead>
        <Warnings texts={texts} />
        <p className="text-ink-soft">
          The customer gets an email with what you enter here. All fields are optional.
        </p>
      </FormLead>
      <ShipmentFields form={form} />
    </ChangeForm>
  );
}

export function DeliverForm(props: OrderFormProps) {
  const expected_status = useExpectedStatus(props);
  const { attempt, finish } = useOrderChange(props, "Delivered");
  const form = useNewForm({
    ...noFields,
    save: () =>
      attempt(() => moveOrder(props.order.id, { to: "Delivered", expected_status })).then(finish),
  });
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
  const expected_status = useExpectedStatus(props);
  const { attempt, finishWith } = useOrderChange(props, "Cancelled");
  const form = useNewForm({
    schema: cancelSchema,
    labels: {
      reason: "Reason, for staff only (optional)",
      message: "Text for the customer (optional)",
    },
    values: { reason: "", message: "" },
    save: (texts) =>
      attempt(() => moveOrder(props.order.id, { to: "Cancelled", expected_status, ...texts })).then(
        ({ open_loans = [] }) => finishWith(openLoansText(open_loans)),
      ),
  });
  return (
    <ChangeForm form={form} submit="Cancel the order">
      <FormLead>
        {cancelConsequences(props.order).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </FormLead>
      <TextField form={form} name="reason" maxLength={500} />
      <TextField form={form} name="message" rows={3} maxLength={2_000} />
    </ChangeForm>
  );
}

/** Erases the personal data of a finished order. */
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

function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div role="alert" className="mb-4 space-y-1 wrap-anywhere text-danger">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
