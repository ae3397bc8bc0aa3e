import { type GrantKind, grantKinds } from "@keepsats/domain";
import { amountIn, refundAnswerSchema, refundRequestSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import * as z from "zod/mini";
import { post } from "../lib/api.ts";
import { amountText } from "../lib/format.ts";
import { useNewForm } from "../lib/forms/form.ts";
import { useIdempotencyKey } from "../lib/use-idempotency-key.ts";
import { ChangeForm } from "../ui/forms/change-form.tsx";
import { TextField } from "../ui/forms/form-fields.tsx";
import { FormLead } from "../ui/forms/form-modal.tsx";
import { RadioFields } from "../ui/forms/radio-fields.tsx";
import { CountInput, PiecesLine, PiecesList } from "../ui/pieces-list.tsx";
import { Figures } from "../ui/values.tsx";
import {
  amountOfPieces,
  type ChosenLine,
  chosenLines,
  type GrantChoice,
  grantRequest,
} from "./grants.ts";
import {
  amountLabel,
  type RefundState,
  refundDueText,
  refundLabels,
  refundSchema,
  refundValues,
} from "./refunds.ts";

interface RefundFormProps {
  readonly state: RefundState;
  /** Fetches the current state. */
  readonly read: () => Promise<RefundState>;
  readonly onDone: () => void;
}

/** Records a refund that staff made outside the shop: the shop itself sends no money. */
export function RefundForm({ state, read, onDone }: RefundFormProps) {
  const toasts = useToasts();
  // All attempts expect the ledger that the form was opened with, so that a refund is not recorded
  // in addition to one that a colleague records. After a refusal they start from the current state.
  const [opened, setOpened] = useState(state);
  const [chosen, setChosen] = useState(0);
  const sendOnce = useIdempotencyKey(async () => {
    setOpened(await read());
    setChosen(0);
  });
  const target = opened.targets[chosen] ?? opened.targets[0];
  const currency = target?.currency ?? "";
  const refunded = amountIn(opened.ledger, "refunded", currency);
  const [choice, setChoice] = useState<GrantChoice>(new Map());
  const grant = target?.grant;
  const form = useNewForm({
    schema: refundSchema,
    labels: { amount: amountLabel(currency), ...refundLabels },
    values: refundValues(
      (grant === undefined ? target?.amount : amountOfPieces(grant, choice)) ?? null,
      grant,
    ),
    async save({ kind, ...refund }) {
      if (target === undefined) return;
      const granted = grant === undefined ? {} : grantRequest(grant, kind, lines);
      const sent = { ...refund, currency, expected_refunded: refunded, ...granted };
      const body = z.encode(refundRequestSchema, sent);
      const { ledger } = await sendOnce((key) =>
        post(target.refundsPath, body, refundAnswerSchema, key),
      );
      toasts.success(
        `Refund of ${amountText(refund.amount, currency)} recorded`,
        refundDueText(ledger),
      );
      onDone();
    },
  });
  const lines = grant === undefined ? [] : chosenLines(grant, choice, form.typed.kind);
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
            { label: "Refunded so far", cents: refunded, currency },
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
          lines={lines}
          kind={form.register("kind")}
          error={form.errorOf("kind")}
          isOfReturn={grant.returnId !== undefined}
          onChoose={(itemId, part) =>
            setChoice(new Map([...choice, [itemId, { ...choice.get(itemId), ...part }]]))
          }
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

const kindLabels: Readonly<Record<GrantKind, string>> = {
  return: "Return: items came back",
  goodwill: "Goodwill: the customer keeps the items",
};

const kindOptions = grantKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }));

interface GrantFieldsProps {
  readonly lines: readonly ChosenLine[];
  readonly kind: UseFormRegisterReturn;
  readonly error: string | undefined;
  /** Whether the refund is of a return, so that its kind is known. */
  readonly isOfReturn: boolean;
  readonly onChoose: (
    itemId: string,
    part: Partial<Pick<ChosenLine, "quantity" | "restock">>,
  ) => void;
}

function GrantFields(props: GrantFieldsProps) {
  const { lines, kind, error, isOfReturn, onChoose } = props;
  return (
    <>
      {!isOfReturn && (
        <RadioFields legend="Kind" options={kindOptions} error={error} inputOf={() => kind} />
      )}
      {lines.length > 0 && (
        <PiecesList legend={isOfReturn ? "Items" : "Items (optional)"}>
          {lines.map(({ itemId, name, left, quantity, restock }) => (
            <PiecesLine key={itemId} name={name}>
              <div className="grid grid-cols-2 items-end gap-4 sm:w-64">
                <CountInput
                  label={`Pieces (at most ${left})`}
                  of={name}
                  most={left}
                  count={quantity}
                  onCount={(count) => onChoose(itemId, { quantity: count })}
                />
                <CountInput
                  label="Restock"
                  of={name}
                  most={quantity}
                  count={restock}
                  onCount={(count) => onChoose(itemId, { restock: count })}
                />
              </div>
            </PiecesLine>
          ))}
        </PiecesList>
      )}
    </>
  );
}
