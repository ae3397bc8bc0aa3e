import { centsFromAmount, decimalFromCents, formatGroupedMoney } from "@keepsats/domain";
import { useState } from "react";
import { recordRefund } from "../../lib/orders.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { Input } from "../../ui/input.tsx";
import type { FormProps } from "./move-forms.tsx";
import { useChange } from "./use-change.ts";

interface Refund {
  readonly amount: number;
  readonly method: string;
  readonly reference?: string;
}

/** Records money that was given back outside of the shop, which pays nothing out itself. */
export function RefundForm({ order, onDone }: FormProps) {
  const { refundable, owed } = order.ledger;
  // One key for all attempts of this form: a refund whose answer was lost is not recorded twice.
  const [key] = useState(() => crypto.randomUUID());
  const [amountError, setAmountError] = useState<string>();
  const { mutate, ...state } = useChange<Refund>(
    { order, onDone, done: "Refund recorded" },
    (refund) => recordRefund(order.id, refund, key),
  );

  function save({ amount = "", method = "", reference }: Readonly<Record<string, string>>): void {
    const cents = centsFromAmount(amount);
    if (cents === undefined || cents === 0) return setAmountError("Enter an amount such as 12.50");
    setAmountError(undefined);
    mutate({ amount: cents, method, ...(reference === undefined ? {} : { reference }) });
  }
  return (
    <ChangeForm submit="Record refund" {...state} onSubmit={save}>
      <FormLead>
        <p className="text-ink-soft">
          First pay the money back to the shopper, who repays the lender: for example by bank
          transfer to an account that the shopper names. Then record it here.{" "}
          {formatGroupedMoney(owed)} is owed; at most {formatGroupedMoney(refundable)} may be given
          back.
        </p>
      </FormLead>
      <Input
        label="Amount in dollars"
        name="amount"
        inputMode="decimal"
        required
        defaultValue={decimalFromCents(owed > 0 ? owed : refundable)}
        error={amountError}
        onChange={() => setAmountError(undefined)}
      />
      <Input
        label="How, such as bank transfer"
        name="method"
        required
        maxLength={100}
        defaultValue="bank transfer"
      />
      <Input label="Reference" name="reference" maxLength={200} />
    </ChangeForm>
  );
}
