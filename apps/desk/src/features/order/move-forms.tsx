import { shipWarnings, transitionRequestSchema } from "@keepsats/protocol";
import { useState } from "react";
import * as z from "zod/mini";
import { emptyAs, useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { Warnings } from "../../ui/warnings.tsx";
import { cancelConsequences, underWayText } from "./cancel-consequences.ts";
import { ShipmentFields, shipmentLabels, trackingLink } from "./correct-forms.tsx";
import { eraseOrder, moveOrder, type OrderFormProps, useChange } from "./order-changes.ts";

/**
 * The status that the order had when the form was opened: a change is made only if it has it still.
 */
function useSeenStatus({ order }: OrderFormProps): string {
  const [seen] = useState(order.status);
  return seen;
}

const { carrier, tracking_number, reason, message } = transitionRequestSchema.shape;
const shipSchema = z.object({
  carrier: emptyAs(undefined, carrier),
  tracking_number: emptyAs(undefined, tracking_number),
  tracking_url: emptyAs(undefined, z.optional(trackingLink)),
});

/**
 * Ships an order with its carrier and tracking, all of which may stay empty. It asks first if
 * something speaks against it.
 */
export function ShipForm(props: OrderFormProps) {
  const { texts, hasIssue } = shipWarnings(props.order);
  const expected_status = useSeenStatus(props);
  const { attempt, finish } = useChange(props, "Shipped");
  const form = useNewForm({
    schema: shipSchema,
    labels: shipmentLabels,
    values: { carrier: "", tracking_number: "", tracking_url: "" },
    save: (shipment) =>
      attempt(() =>
        moveOrder(props.order.id, {
          ...{ to: "Shipped", expected_status, ...shipment },
          ...(hasIssue ? { despite_issue: true } : {}),
        }),
      ).then(finish),
  });
  return (
    <ChangeForm form={form} submit={texts.length === 0 ? "Ship" : "Ship anyway"}>
      <FormLead>
        <Warnings texts={texts} />
        <p className="text-ink-soft">
          The customer gets an email with what you enter here. All three may stay empty.
        </p>
      </FormLead>
      <ShipmentFields form={form} />
    </ChangeForm>
  );
}

/** Says that an order has arrived. */
export function DeliverForm(props: OrderFormProps) {
  const expected_status = useSeenStatus(props);
  const { attempt, finish } = useChange(props, "Delivered");
  const form = useNewForm({
    ...noFields,
    save: () =>
      attempt(() => moveOrder(props.order.id, { to: "Delivered", expected_status })).then(finish),
  });
  return (
    <ChangeForm form={form} submit="Delivered">
      <FormLead>
        <p className="text-ink-soft">The customer gets an email that the order has arrived.</p>
      </FormLead>
    </ChangeForm>
  );
}

const noFields = { schema: z.object({}), labels: {}, values: {} };

const cancelSchema = z.object({
  reason: emptyAs(undefined, reason),
  message: emptyAs(undefined, message),
});

/** Cancels an order: the reason is for staff, the text for the customer. */
export function CancelForm(props: OrderFormProps) {
  const expected_status = useSeenStatus(props);
  const { attempt, finishWith } = useChange(props, "Cancelled");
  const form = useNewForm({
    schema: cancelSchema,
    labels: { reason: "Reason, for staff only", message: "Text for the customer" },
    values: { reason: "", message: "" },
    save: (texts) =>
      attempt(() => moveOrder(props.order.id, { to: "Cancelled", expected_status, ...texts })).then(
        ({ loans_under_way = [] }) => finishWith(underWayText(loans_under_way)),
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

/** Erases the person of an order that is over. */
export function EraseForm(props: OrderFormProps) {
  const { attempt, finish } = useChange(props, "Erased");
  const form = useNewForm({
    ...noFields,
    save: () => attempt(() => eraseOrder(props.order.id)).then(finish),
  });
  return (
    <ChangeForm form={form} submit="Erase">
      <FormLead>
        Name, email and addresses are erased for good, from notes, emails and messages too. Items
        and amounts stay for the books.
      </FormLead>
    </ChangeForm>
  );
}
