import { shortOrderId } from "@keepsats/domain";
import { transitionRequestSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { type ClipboardEvent, useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { emptyAs } from "../../lib/form-schema.ts";
import { counted } from "../../lib/format.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { inputClasses } from "../../ui/input.tsx";
import { type Outcome, type Outcomes, openIds, outcomeText, pasteLines } from "./bulk-shipping.ts";
import type { OrderRow } from "./stable-rows.ts";
import { useBulkShipping } from "./use-bulk-shipping.ts";

const MAX_LENGTH = 100;

interface ShipDialogProps {
  readonly orders: readonly OrderRow[];
  readonly onClose: () => void;
  /** Called when all orders have shipped. */
  readonly onShipped: () => void;
}

const { carrier, tracking_number } = transitionRequestSchema.shape;
const shipSchema = z.object({
  carrier: emptyAs(undefined, carrier),
  numbers: z.array(emptyAs(undefined, tracking_number)),
});

/** Ships several paid orders, with one carrier for all and a tracking number for each. */
export function ShipDialog({ orders, onClose, onShipped }: ShipDialogProps) {
  const { outcomes, ship } = useBulkShipping(onShipped);
  const ids = orders.map(({ id }) => id);
  const open = openIds(ids, outcomes);
  const form = useNewForm({
    schema: shipSchema,
    labels: { carrier: "Carrier for all", numbers: "Tracking numbers" },
    values: { carrier: "", numbers: orders.map(() => "") },
    save: ({ carrier, numbers }) =>
      ship(open.map((id) => ({ id, carrier, tracking_number: numbers[ids.indexOf(id)] }))),
  });
  const { isSaving } = form;

  function paste(event: ClipboardEvent, index: number): void {
    const pasted = pasteLines(form.typed.numbers, index, event.clipboardData.getData("text"));
    if (pasted === undefined) return;
    event.preventDefault();
    form.setValue(
      "numbers",
      pasted.map((number) => number.slice(0, MAX_LENGTH)),
    );
  }
  return (
    <FormModal title={`Ship ${counted(orders.length, "order")}?`} onClose={onClose}>
      <ChangeForm
        form={form}
        submit={open.length === 0 ? undefined : shipText(open, outcomes)}
        waiting={isSaving ? `Shipping… ${outcomes.size} of ${orders.length}` : undefined}
        actions={outcomes.size > 0 && !isSaving && <Button onClick={onClose}>Done</Button>}
      >
        <FormLead>
          <p className="text-ink-soft">
            Each customer gets an email with what you enter here. All fields are optional. Pasting
            several lines fills the fields below too.
          </p>
        </FormLead>
        <TextField form={form} name="carrier" maxLength={MAX_LENGTH} />
        <ul className="grid gap-3">
          {orders.map((order, index) => (
            <ShipmentRow
              key={order.id}
              order={order}
              field={form.register(`numbers.${index}`)}
              outcome={outcomes.get(order.id)}
              isLocked={isSaving || !open.includes(order.id)}
              onPaste={(event) => paste(event, index)}
            />
          ))}
        </ul>
      </ChangeForm>
    </FormModal>
  );
}

function shipText(open: readonly string[], outcomes: Outcomes): string {
  if (outcomes.size === 0) return "Ship";
  const orders = counted(open.length, "order");
  const needsConfirmation = open.some((id) => outcomes.get(id)?.kind === "unconfirmed");
  return needsConfirmation ? `Ship ${orders} anyway` : `Try ${orders} again`;
}

interface ShipmentRowProps {
  readonly order: OrderRow;
  readonly field: UseFormRegisterReturn;
  readonly outcome: Outcome | undefined;
  /** Whether the number is read-only. */
  readonly isLocked: boolean;
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

function ShipmentRow({ order, field, outcome, isLocked, onPaste }: ShipmentRowProps) {
  const id = useId();
  return (
    <li>
      <label htmlFor={id} className="mb-1 block text-sm wrap-anywhere">
        <span className="font-medium">Tracking number of {shortOrderId(order.id)}</span>{" "}
        <span className="text-ink-soft">{order.customer_name}</span>
      </label>
      <input
        id={id}
        maxLength={MAX_LENGTH}
        readOnly={isLocked}
        aria-describedby={`${id}-outcome`}
        onPaste={isLocked ? undefined : onPaste}
        className={classes(inputClasses, "read-only:bg-sunken read-only:text-ink-soft")}
        {...field}
      />
      <p
        id={`${id}-outcome`}
        role="status"
        className={classes("pt-0.5 text-sm", outcome?.kind !== "shipped" && "text-danger")}
      >
        {outcome !== undefined && outcomeText(outcome)}
      </p>
    </li>
  );
}
