import { formatGroupedMoney } from "@keepsats/domain";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { recordRefund } from "../../lib/orders.ts";
import { refundShape, refundValues } from "../../lib/refunds.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { type OrderFormProps, useChange } from "./order-changes.ts";

const refundSchema = z.object(refundShape);

/** Records a refund that staff made outside of the shop, which pays nothing out itself. */
export function RefundForm(props: OrderFormProps) {
  const { id, ledger } = props.order;
  const { refundable, refund_due } = ledger;
  // All attempts have one key and expect the ledger that the form was opened with: a refund whose
  // response was lost is recorded once, and not beside one that a colleague records.
  const [opened] = useState({ key: crypto.randomUUID(), ledger });
  const { attempt, finish } = useChange(props, "Refund recorded");
  const form = useNewForm({
    schema: refundSchema,
    labels: {
      amount: "Amount in dollars",
      method: "Method",
      reference: "Reference (optional)",
    },
    values: refundValues(
      opened.ledger.refund_due > 0 ? opened.ledger.refund_due : opened.ledger.refundable,
    ),
    save(refund) {
      const expected_refunded = opened.ledger.refunded;
      return attempt(() => recordRefund(id, { ...refund, expected_refunded }, opened.key)).then(
        finish,
      );
    },
  });
  return (
    <ChangeForm form={form} submit="Record refund">
      <FormLead>
        <p className="text-ink-soft">
          First refund the customer outside of the shop, for example by bank transfer. The customer
          repays the lender. Then record the refund here: the shop itself pays nothing out. Refund
          due: {formatGroupedMoney(refund_due)}. Refundable: {formatGroupedMoney(refundable)}.
        </p>
      </FormLead>
      <TextField form={form} name="amount" inputMode="decimal" />
      <TextField form={form} name="method" maxLength={100} />
      <TextField form={form} name="reference" maxLength={200} />
    </ChangeForm>
  );
}
