import {
  chosenPieces,
  type LinePieces,
  linesText,
  mapFields,
  returnablePieces,
  type StaffReturnState,
  staffReturnStates,
} from "@keepsats/domain";
import {
  type AdminOrder,
  MAX_RETURN_MESSAGE,
  MAX_RETURN_REASON,
  newReturnSchema,
  type OrderReturn,
  paths,
  returnAnswerSchema,
  withId,
} from "@keepsats/protocol";
import { useState } from "react";
import * as z from "zod/mini";
import { post } from "../../lib/api.ts";
import { useNewForm } from "../../lib/forms/form.ts";
import { emptyAs } from "../../lib/forms/form-schema.ts";
import { useIdempotencyKey } from "../../lib/use-idempotency-key.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { TextField } from "../../ui/forms/form-fields.tsx";
import { FormLead } from "../../ui/forms/form-modal.tsx";
import { returnLabels } from "../../ui/order-labels.tsx";
import { CountInput, PiecesLine, PiecesList } from "../../ui/pieces-list.tsx";
import type { ActionForm, OrderFormProps } from "./action-buttons.tsx";

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
  const sendOnce = useIdempotencyKey();
  const lines = chosenPieces(offered, chosen);
  const form = useNewForm({
    schema: openSchema,
    done: "Return opened",
    labels: { reason: "Reason, for staff only", message: messageLabel },
    values: { reason: "", message: "" },
    async save(texts) {
      if (lines.length === 0) throw new Error("Choose the pieces that come back.");
      const path = withId(paths.admin.orderReturns, props.order.id);
      await sendOnce((key) => post(path, { lines, ...texts }, returnAnswerSchema, key));
      props.onDone();
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

interface PiecesFieldProps {
  readonly legend: string;
  readonly items: AdminOrder["items"];
  readonly offered: readonly LinePieces[];
  /** By item id. */
  readonly chosen: ReadonlyMap<string, number>;
  readonly onChange: (chosen: ReadonlyMap<string, number>) => void;
}

function PiecesField({ legend, items, offered, chosen, onChange }: PiecesFieldProps) {
  return (
    <PiecesList legend={legend}>
      {offered.map(({ item_id, quantity }) => {
        const name = items.find(({ id }) => id === item_id)?.name ?? item_id;
        return (
          <PiecesLine key={item_id} name={name}>
            <CountInput
              label={`Pieces (at most ${quantity})`}
              of={name}
              most={quantity}
              count={Math.min(quantity, chosen.get(item_id) ?? 0)}
              onCount={(count) => onChange(new Map([...chosen, [item_id, count]]))}
            />
          </PiecesLine>
        );
      })}
    </PiecesList>
  );
}

interface MoveTexts {
  readonly button: string;
  readonly title: string;
  readonly submit: string;
  readonly lead: string;
}

const moves: Readonly<Record<StaffReturnState, MoveTexts>> = {
  accepted: {
    button: "Accept…",
    title: "Accept this return",
    submit: "Accept the return",
    lead: "The customer gets an email. Say where to send the items and who pays the postage.",
  },
  received: {
    button: "Mark as received…",
    title: "Mark this return as received",
    submit: "Mark as received",
    lead: "The customer gets an email saying that the items have arrived. Check them, then refund.",
  },
  completed: {
    button: "Complete without a refund…",
    title: "Complete this return without a refund",
    submit: "Complete the return",
    lead: "Without a refund, for example because the price is refunded already, or the items were exchanged. The customer gets an email.",
  },
  declined: {
    button: "Decline…",
    title: "Decline this return",
    submit: "Decline the return",
    lead: "The customer gets an email. The customer can still request another return of these items.",
  },
};

export interface ReturnFormProps {
  readonly order: AdminOrder;
  readonly orderReturn: OrderReturn;
}

/** The forms that accept, decline or complete a return, or record that its items have arrived. */
export const moveForms = mapFields(
  staffReturnStates,
  (to): ActionForm<ReturnFormProps> => ({
    ...moves[to],
    Form: (props) => <MoveReturnForm to={to} {...props} />,
  }),
);

interface MoveReturnFormProps extends ReturnFormProps {
  readonly to: StaffReturnState;
  readonly onDone: () => void;
}

function MoveReturnForm({ orderReturn, to, ...props }: MoveReturnFormProps) {
  // The server refuses the change if a colleague was faster.
  const [expected_state] = useState(orderReturn.state);
  const { lines } = orderReturn;
  const [restocked, setRestocked] = useState<ReadonlyMap<string, number>>(
    () => new Map(lines.map(({ item_id, quantity }) => [item_id, quantity])),
  );
  const restock = to === "completed" ? chosenPieces(lines, restocked) : [];
  const { submit, lead } = moves[to];
  const form = useNewForm({
    schema: z.object({ message: emptyAs(undefined, message) }),
    done: returnLabels[to],
    labels: { message: messageLabel },
    values: { message: "" },
    async save(texts) {
      const path = withId(paths.admin.returnMoves, props.order.id, orderReturn.id);
      const pieces = restock.length === 0 ? {} : { restock };
      await post(path, { to, expected_state, ...texts, ...pieces }, returnAnswerSchema);
      props.onDone();
    },
  });
  return (
    <ChangeForm form={form} submit={submit}>
      <FormLead>
        <p className="font-medium wrap-anywhere">{linesText(props.order.items, lines)}</p>
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
