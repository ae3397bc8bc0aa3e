import { isApiError } from "@keepsats/client";
import type { StaffStatus } from "@keepsats/domain";
import {
  type AdminOrder,
  erasureAnswerSchema,
  MAX_MOVE_MESSAGE,
  MAX_MOVE_REASON,
  type OrderMove,
  orderMoveSchema,
  paths,
  shipWarnings,
  withId,
} from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import * as z from "zod/mini";
import { post } from "../../lib/api.ts";
import { openLoansText } from "../../lib/format.ts";
import { useNewForm } from "../../lib/forms/form.ts";
import { emptyAs } from "../../lib/forms/form-schema.ts";
import { moveOrder } from "../../lib/queries.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { TextField } from "../../ui/forms/form-fields.tsx";
import { FormLead } from "../../ui/forms/form-modal.tsx";
import { statusChangeText } from "../../ui/order-labels.tsx";
import { type OrderFormProps, useReadOrder } from "./action-buttons.tsx";
import { ShipmentFields, shipmentLabels, trackingLink } from "./correct-forms.tsx";
import { cancelConsequences } from "./order-money.ts";

/** Moves an order. The server refuses it if the status has changed since the form was opened. */
function useMove(props: OrderFormProps, to: StaffStatus) {
  const [expected_status] = useState(props.order.status);
  const read = useReadOrder(props.order);
  const toasts = useToasts();
  return async (input: Omit<OrderMove, "to" | "expected_status">) => {
    const move = { to, expected_status, ...input };
    const { changed, open_loans = [] } = await moveOrder(props.order.id, move).catch(
      (cause: unknown) => {
        if (isApiError(cause) && cause.problem?.code === "open_issue")
          throw new Error("Not shipped: a payment issue was opened a moment ago.", { cause });
        throw cause;
      },
    );
    // The order already had this status, so the form's input is not stored.
    if (!changed) throw new Error(statusChangeText(await read(), Date.now()));
    toasts.success(to, openLoansText(open_loans));
    props.onDone();
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
  const form = useNewForm({
    ...noFields,
    done: "Erased",
    async save() {
      await post(withId(paths.admin.erasure, props.order.id), {}, erasureAnswerSchema);
      props.onDone();
    },
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
