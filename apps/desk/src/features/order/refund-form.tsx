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

/** Records money that was given back outside of the shop, which pays nothing out itself. */
export function RefundForm(props: OrderFormProps) {
  const { id, ledger } = props.order;
  const { refundable, owed } = ledger;
  // All attempts of this form have one key and expect the ledger that it was opened with: a refund
  // whose answer was lost is recorded once, and not beside one that a colleague records.
  const [opened] = useState({ key: crypto.randomUUID(), ledger });
  const { attempt, finish } = useChange(props, "Refund recorded");
  const form = useNewForm({
    schema: refundSchema,
    labels: {
      amount: "Amount in dollars",
      method: "How, such as bank transfer",
      reference: "Reference",
    },
    values: refundValues(opened.ledger.owed > 0 ? opened.ledger.owed : opened.ledger.refundable),
    save(refund) {
      const expected_given_back = opened.ledger.given_back;
      return attempt(() => recordRefund(id, { ...refund, expected_given_back }, opened.key)).then(
        finish,
      );
    },
  });
  return (
    <ChangeForm form={form} submit="Record refund">
      <FormLead>
        <p className="text-ink-soft">
          First pay the money back to the shopper, who repays the lender: for example by bank
          transfer to an account that the shopper names. Then record it here.{" "}
          {formatGroupedMoney(owed)} is owed; at most {formatGroupedMoney(refundable)} may be given
          back.
        </p>
      </FormLead>
      <TextField form={form} name="amount" inputMode="decimal" />
      <TextField form={form} name="method" maxLength={100} />
      <TextField form={form} name="reference" maxLength={200} />
    </ChangeForm>
  );
}
