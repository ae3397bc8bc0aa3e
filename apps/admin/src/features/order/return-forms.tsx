import { isApiError } from "@keepsats/client";
import { chosenPieces, returnablePieces, type StaffReturnState } from "@keepsats/domain";
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
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { piecesText } from "../../ui/return-labels.ts";
import { PiecesField } from "./pieces-field.tsx";
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
  // All attempts share one key, so a return whose response was lost is opened once.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const lines = chosenPieces(offered, chosen);
  const form = useNewForm({
    schema: openSchema,
    labels: { reason: "Reason, for staff only", message: messageLabel },
    values: { reason: "", message: "" },
    async save(texts) {
      if (lines.length === 0) throw new Error("Choose the pieces that come back.");
      await attempt(() =>
        openReturn(props.order.id, { lines, ...texts }, key).catch(startOver),
      ).then(finish);
    },
  });
  /** An earlier attempt, whose response was lost, had other input. */
  function startOver(why: unknown): never {
    if (!isApiError(why) || why.problem?.code !== "idempotency_conflict") throw why;
    setKey(crypto.randomUUID());
    throw new Error("An earlier attempt was recorded. This one was not.", { cause: why });
  }
  return (
    <ChangeForm form={form} submit="Open the return">
      <FormLead>
        <p className="text-ink-soft">
          For items that the customer sends back. The customer gets an email saying that the return
          is accepted. Refund it once the items have arrived.
        </p>
      </FormLead>
      <PiecesField
        legend="Items"
        items={items}
        offered={offered}
        chosen={chosen}
        onChange={setChosen}
      />
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
  completed: {
    submit: "Complete the return",
    done: "Return completed",
    lead: "Without a refund, for example because the price is refunded already, or the items were exchanged. The customer gets an email.",
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

/** Accepts, declines or completes a return, or records that its items have arrived. */
export function MoveReturnForm({ orderReturn, to, ...props }: MoveReturnFormProps) {
  // The server refuses the change if a colleague was faster.
  const [expected_state] = useState(orderReturn.state);
  const { lines } = orderReturn;
  const [restocked, setRestocked] = useState<ReadonlyMap<string, number>>(
    () => new Map(lines.map(({ item_id, quantity }) => [item_id, quantity])),
  );
  const restock = to === "completed" ? chosenPieces(lines, restocked) : [];
  const { submit, done, lead } = moves[to];
  const { attempt, finish } = useOrderChange(props, done);
  const form = useNewForm({
    schema: z.object({ message: emptyAs(undefined, message) }),
    labels: { message: messageLabel },
    values: { message: "" },
    save: (texts) =>
      attempt(() =>
        moveReturn(props.order.id, orderReturn.id, {
          to,
          expected_state,
          ...texts,
          ...(restock.length === 0 ? {} : { restock }),
        }),
      ).then(finish),
  });
  return (
    <ChangeForm form={form} submit={submit}>
      <FormLead>
        <p className="font-medium wrap-anywhere">{piecesText(props.order.items, lines)}</p>
        <p className="text-ink-soft">{lead}</p>
      </FormLead>
      {to === "completed" && (
        <PiecesField
          legend="Restock"
          items={props.order.items}
          offered={lines}
          chosen={restocked}
          onChange={setRestocked}
        />
      )}
      <TextField form={form} name="message" rows={3} maxLength={MAX_RETURN_MESSAGE} />
    </ChangeForm>
  );
}
