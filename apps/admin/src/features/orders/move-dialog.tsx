import { isPaidStatus, orderName, type StaffStatus } from "@keepsats/domain";
import {
  MAX_MOVE_MESSAGE,
  MAX_MOVE_REASON,
  MAX_SHIPMENT_LENGTH,
  orderMoveSchema,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { inputClasses } from "@keepsats/ui/input.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { type ClipboardEvent, type ComponentProps, useId } from "react";
import * as z from "zod/mini";
import { counted } from "../../lib/format.ts";
import { useNewForm } from "../../lib/forms/form.ts";
import { emptyAs } from "../../lib/forms/form-schema.ts";
import { orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { isOpen, type Outcome, type Outcomes, useBulk } from "../../lib/use-bulk.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { CarrierField, TextField } from "../../ui/forms/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/forms/form-modal.tsx";
import { attemptMove, type Move, moveTexts, pasteLines } from "./bulk-moves.ts";
import type { OrderRow } from "./stable-rows.ts";

interface MoveDialogProps {
  readonly to: StaffStatus;
  readonly orders: readonly OrderRow[];
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

const { carrier, tracking_number, reason, message } = orderMoveSchema.shape;
const moveSchema = z.object({
  carrier: emptyAs(undefined, carrier),
  numbers: z.array(emptyAs(undefined, tracking_number)),
  reason: emptyAs(undefined, reason),
  message: emptyAs(undefined, message),
});

/**
 * Ships, delivers or cancels several orders with the same input for all, except that each shipped
 * order has its own tracking number. Each order shows its outcome.
 */
export function MoveDialog({ to, orders, onClose, onMoved }: MoveDialogProps) {
  const client = useQueryClient();
  const { role } = useSession().staff;
  const texts = moveTexts[to];
  const names = new Map(orders.map((order) => [order.id, orderName(order)]));
  const { outcomes, run } = useBulk({
    noun: "order",
    done: texts.done,
    nameOf: (id) => names.get(id) ?? id,
    change(move: Move, earlier) {
      const query = orderQuery(move.id, role);
      return attemptMove(move, () => client.fetchQuery({ ...query, staleTime: 0 }), earlier);
    },
    onAllDone: onMoved,
  });
  const ids = orders.map(({ id }) => id);
  const open = ids.filter((id) => isOpen(outcomes.get(id)));
  const form = useNewForm({
    schema: moveSchema,
    labels: {
      carrier: "Carrier for all",
      numbers: "Tracking numbers",
      reason: "Reason, for staff only (optional)",
      message: "Text for the customers (optional)",
    },
    values: { carrier: "", numbers: orders.map(() => ""), reason: "", message: "" },
    save: ({ numbers, ...input }) =>
      run(
        orders
          .filter(({ id }) => open.includes(id))
          .map(({ id, status }) => ({
            id,
            to,
            expected_status: status,
            tracking_number: numbers[ids.indexOf(id)],
            ...input,
          })),
      ),
  });
  const { isSaving } = form;

  function paste(event: ClipboardEvent, index: number): void {
    const pasted = pasteLines(form.typed.numbers, index, event.clipboardData.getData("text"));
    if (pasted === undefined) return;
    event.preventDefault();
    form.setValue(
      "numbers",
      pasted.map((number) => number.slice(0, MAX_SHIPMENT_LENGTH)),
    );
  }
  return (
    <FormModal title={`${texts.action(counted(orders.length, "order"))}?`} onClose={onClose}>
      <ChangeForm
        form={form}
        submit={open.length === 0 ? undefined : submitText(to, open, outcomes)}
        waiting={isSaving ? `${texts.waiting} ${outcomes.size} of ${orders.length}` : undefined}
        actions={outcomes.size > 0 && !isSaving && <Button onClick={onClose}>Done</Button>}
      >
        <FormLead>
          <p className="text-ink-soft">{leadText(to, orders)}</p>
        </FormLead>
        {to === "Shipped" && <CarrierField form={form} name="carrier" />}
        {to === "Cancelled" && (
          <>
            <TextField form={form} name="reason" maxLength={MAX_MOVE_REASON} />
            <TextField form={form} name="message" rows={3} maxLength={MAX_MOVE_MESSAGE} />
          </>
        )}
        <ul className="grid gap-3">
          {orders.map((order, index) => {
            const isLocked = isSaving || !open.includes(order.id);
            const input = to === "Shipped" && {
              maxLength: MAX_SHIPMENT_LENGTH,
              readOnly: isLocked,
              onPaste: (event: ClipboardEvent) => isLocked || paste(event, index),
              ...form.register(`numbers.${index}`),
            };
            const outcome = outcomes.get(order.id);
            return <Row key={order.id} order={order} outcome={outcome} input={input} />;
          })}
        </ul>
      </ChangeForm>
    </FormModal>
  );
}

interface RowProps {
  readonly order: OrderRow;
  readonly outcome: Outcome | undefined;
  readonly input: ComponentProps<"input"> | false;
}

function Row({ order, outcome, input }: RowProps) {
  const id = useId();
  const text = (label: string) => (
    <>
      <span className="font-medium">{label}</span>{" "}
      <span className="text-ink-soft">{order.customer_name}</span>
    </>
  );
  return (
    <li>
      {input === false ? (
        <p className="text-sm wrap-anywhere">{text(orderName(order))}</p>
      ) : (
        <>
          <label htmlFor={id} className="mb-1 block text-sm wrap-anywhere">
            {text(`Tracking number of ${orderName(order)}`)}
          </label>
          <input
            id={id}
            aria-describedby={`${id}-outcome`}
            className={classes(inputClasses, "read-only:bg-sunken read-only:text-ink-soft")}
            {...input}
          />
        </>
      )}
      <p
        id={`${id}-outcome`}
        role="status"
        className={classes("pt-0.5 text-sm", outcome?.kind !== "done" && "text-danger")}
      >
        {outcome?.text}
      </p>
    </li>
  );
}

function leadText(to: StaffStatus, orders: readonly OrderRow[]): string {
  switch (to) {
    case "Shipped":
      return "Each customer gets an email with what you enter here. All fields are optional. Pasting several lines fills the fields below too.";
    case "Delivered":
      return "Each customer gets an email saying that the order has arrived.";
    case "Cancelled": {
      const paid = orders.filter(({ status }) => isPaidStatus(status)).length;
      const email = "Each customer gets an email with your text.";
      return paid === 0
        ? email
        : `${email} Paid: ${counted(paid, "order")}. The money is then listed under Payments, to refund.`;
    }
  }
}

function submitText(to: StaffStatus, open: readonly string[], outcomes: Outcomes): string {
  if (outcomes.size === 0) return moveTexts[to].submit;
  const orders = counted(open.length, "order");
  const needsConfirmation = open.some((id) => outcomes.get(id)?.kind === "unconfirmed");
  return needsConfirmation ? `${moveTexts[to].action(orders)} anyway` : `Try ${orders} again`;
}
