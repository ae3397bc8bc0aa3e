import { returnablePieces, type StaffReturnState } from "@keepsats/domain";
import {
  type AdminOrder,
  MAX_RETURN_MESSAGE,
  MAX_RETURN_REASON,
  newReturnSchema,
  type OrderReturn,
} from "@keepsats/protocol";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { emptyAs } from "../../lib/form-schema.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { CountInput } from "../../ui/count-input.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { piecesText } from "../../ui/return-labels.ts";
import { moveReturn, openReturn } from "./queries.ts";
import { type OrderFormProps, useOrderChange } from "./use-order-change.ts";

const { reason, message } = newReturnSchema.shape;
const openSchema = z.object({ reason, message: emptyAs(undefined, message) });
const messageLabel = "Text for the customer (optional)";

/** Opens a return for the customer. It is accepted. */
export function OpenReturnForm(props: OrderFormProps<AdminOrder>) {
  const { items, returns = [], refund_lines = [] } = props.order;
  const offered = returnablePieces(items, returns, refund_lines);
  const [only] = offered.length === 1 ? offered : [];
  const [chosen, setChosen] = useState<ReadonlyMap<string, number>>(
    () => new Map(only?.quantity === 1 ? [[only.item_id, 1]] : []),
  );
  const { attempt, finish } = useOrderChange(props, "Return opened");
  const lines = offered
    .map(({ item_id, quantity }) => ({
      item_id,
      quantity: Math.min(quantity, chosen.get(item_id) ?? 0),
    }))
    .filter(({ quantity }) => quantity > 0);
  const form = useNewForm({
    schema: openSchema,
    labels: { reason: "Reason, for staff only", message: messageLabel },
    values: { reason: "", message: "" },
    async save(texts) {
      if (lines.length === 0) throw new Error("Choose the pieces that come back.");
      await attempt(() => openReturn(props.order.id, { lines, ...texts })).then(finish);
    },
  });
  return (
    <ChangeForm form={form} submit="Open the return">
      <FormLead>
        <p className="text-ink-soft">
          For items that the customer sends back. The customer gets an email saying that the return
          is accepted. Refund it once the items have arrived.
        </p>
      </FormLead>
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Items</legend>
        <ul className="divide-y divide-line border-y border-line">
          {offered.map(({ item_id, quantity }) => {
            const name = items.find(({ id }) => id === item_id)?.name ?? item_id;
            return (
              <li
                key={item_id}
                className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[1fr_auto] sm:items-center"
              >
                <span className="min-w-0 wrap-anywhere">{name}</span>
                <CountInput
                  label={`Pieces (at most ${quantity})`}
                  of={name}
                  most={quantity}
                  count={Math.min(quantity, chosen.get(item_id) ?? 0)}
                  onCount={(count) => setChosen(new Map([...chosen, [item_id, count]]))}
                />
              </li>
            );
          })}
        </ul>
      </fieldset>
      <TextField form={form} name="reason" rows={2} maxLength={MAX_RETURN_REASON} />
      <TextField form={form} name="message" rows={3} maxLength={MAX_RETURN_MESSAGE} />
    </ChangeForm>
  );
}

interface MoveTexts {
  readonly submit: string;
  readonly done: string;
  readonly lead: string;
}

const moves: Readonly<Record<StaffReturnState, MoveTexts>> = {
  accepted: {
    submit: "Accept the return",
    done: "Return accepted",
    lead: "The customer gets an email. Say where to send the items and who pays the postage.",
  },
  received: {
    submit: "Mark as received",
    done: "Returned items received",
    lead: "The customer gets an email saying that the items have arrived. Check them, then refund.",
  },
  declined: {
    submit: "Decline the return",
    done: "Return declined",
    lead: "The customer gets an email. The customer can still request another return of these items.",
  },
};

interface MoveReturnFormProps extends OrderFormProps<AdminOrder> {
  readonly orderReturn: OrderReturn;
  readonly to: StaffReturnState;
}

/** Accepts or declines a return, or records that its items have arrived. */
export function MoveReturnForm({ orderReturn, to, ...props }: MoveReturnFormProps) {
  // The server refuses the change if a colleague was faster.
  const [expected_state] = useState(orderReturn.state);
  const { submit, done, lead } = moves[to];
  const { attempt, finish } = useOrderChange(props, done);
  const form = useNewForm({
    schema: z.object({ message: emptyAs(undefined, message) }),
    labels: { message: messageLabel },
    values: { message: "" },
    save: (texts) =>
      attempt(() =>
        moveReturn(props.order.id, orderReturn.id, { to, expected_state, ...texts }),
      ).then(finish),
  });
  return (
    <ChangeForm form={form} submit={submit}>
      <FormLead>
        <p className="font-medium wrap-anywhere">
          {piecesText(props.order.items, orderReturn.lines)}
        </p>
        <p className="text-ink-soft">{lead}</p>
      </FormLead>
      <TextField form={form} name="message" rows={3} maxLength={MAX_RETURN_MESSAGE} />
    </ChangeForm>
  );
}
