import { isApiError } from "@keepsats/client";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import { useNewForm } from "../lib/form.ts";
import { amountText } from "../lib/format.ts";
import { amountOfLines, chosenLines, firstChoiceOf, grantRequest } from "../lib/grants.ts";
import {
  amountLabel,
  type RefundState,
  recordRefund,
  refundDueText,
  refundedIn,
  refundLabels,
  refundSchema,
  refundValues,
} from "../lib/refunds.ts";
import { ChangeForm } from "./change-form.tsx";
import { TextField } from "./form-fields.tsx";
import { FormLead } from "./form-modal.tsx";
import { GrantFields } from "./grant-fields.tsx";
import { RadioFields } from "./radio-fields.tsx";
import { Figures } from "./values.tsx";

interface RefundFormProps {
  readonly state: RefundState;
  /** Fetches the current state. */
  readonly read: () => Promise<RefundState>;
  /** Called once the refund is recorded. */
  readonly onDone: () => void;
}

/** After other statuses, such as 401, an earlier attempt may be recorded. */
const REFUSALS: readonly (number | undefined)[] = [409, 422];

/** Records a refund that staff made outside the shop: the shop itself sends no money. */
export function RefundForm({ state, read, onDone }: RefundFormProps) {
  const toasts = useToasts();
  // All attempts share one key and expect the ledger that the form was opened with. So a refund
  // whose response was lost is recorded once, and not in addition to one that a colleague records.
  const [opened, setOpened] = useState({ key: crypto.randomUUID(), ...state });
  const [chosen, setChosen] = useState(0);
  const target = opened.targets[chosen] ?? opened.targets[0];
  const currency = target?.currency ?? "";
  const [choice, setChoice] = useState(() => firstChoiceOf(target?.grant));
  const grant = target?.grant;
  const lines = grant === undefined ? [] : chosenLines(grant, choice);
  const form = useNewForm({
    schema: refundSchema,
    labels: { amount: amountLabel(currency), ...refundLabels },
    values: refundValues(
      (grant === undefined ? target?.amount : amountOfLines(grant, lines)) ?? null,
    ),
    async save(refund) {
      if (target === undefined) return;
      const expected_refunded = refundedIn(opened.ledger, currency);
      const granted = grant === undefined ? {} : grantRequest(grant, choice, lines);
      const sent = { ...refund, currency, expected_refunded, ...granted };
      const answer = await recordRefund(target.account, sent, opened.key).catch(startOver);
      toasts.show({
        kind: "success",
        title: `Refund of ${amountText(refund.amount, currency)} recorded.`,
        description: refundDueText(answer.ledger),
      });
      onDone();
    },
  });
  /** After a refusal nothing is recorded: the next attempt starts from the current state. */
  async function startOver(why: unknown): Promise<never> {
    if (isApiError(why) && REFUSALS.includes(why.status)) {
      setOpened({ key: crypto.randomUUID(), ...(await read()) });
      setChosen(0);
      if (why.problem?.code === "idempotency_conflict")
        throw new Error("An earlier attempt was recorded. This one was not.", { cause: why });
    }
    throw why;
  }
  if (target === undefined)
    return (
      <div role="alert">
        <p className="mb-4">Nothing is left to refund.</p>
        <Button onClick={onDone}>Close</Button>
      </div>
    );
  return (
    <ChangeForm form={form} submit="Record refund">
      <FormLead>
        <Figures
          figures={[
            {
              label: grant === undefined ? "To refund" : "Can be refunded",
              cents: target.amount,
              currency,
            },
            { label: "Refunded so far", cents: refundedIn(opened.ledger, currency), currency },
          ]}
        />
        <p className="text-ink-soft">
          Refund the customer first, for example by bank transfer. Send the money to the customer,
          not to the lender: the customer still owes the loan. Then record the refund here: the shop
          itself sends no money.
        </p>
      </FormLead>
      {opened.targets.length > 1 && (
        <RadioFields
          legend="Refund of"
          options={opened.targets.map(({ label }, index) => ({ value: String(index), label }))}
          inputOf={(index) => ({
            checked: opened.targets[Number(index)] === target,
            onChange: () => setChosen(Number(index)),
          })}
        />
      )}
      {grant !== undefined && (
        <GrantFields
          choice={choice}
          lines={lines}
          isOfReturn={grant.returnId !== undefined}
          onChange={setChoice}
        />
      )}
      <TextField form={form} name="amount" inputMode="decimal" />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="method" maxLength={100} />
        <TextField form={form} name="reference" maxLength={200} />
      </div>
      <TextField form={form} name="reason" maxLength={500} />
    </ChangeForm>
  );
}
