import { shortOrderId } from "@keepsats/domain";
import { transitionRequestSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { type ClipboardEvent, useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import * as z from "zod/mini";
import { emptyAs, useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { inputClasses } from "../../ui/input.tsx";
import type { OrderRow } from "./order-list.ts";
import { type Outcome, type Outcomes, openIds, outcomeText, pasteLines } from "./ship-several.ts";
import { useShipSeveral } from "./use-ship-several.ts";

const MAX_LENGTH = 100;

interface ShipDialogProps {
  readonly orders: readonly OrderRow[];
  readonly onClose: () => void;
  /** Called when all of them have shipped. */
  readonly onShipped: () => void;
}

const { carrier, tracking_number } = transitionRequestSchema.shape;
const shipSchema = z.object({
  carrier: emptyAs(undefined, carrier),
  numbers: z.array(emptyAs(undefined, tracking_number)),
});

/**
 * Ships several paid orders: one carrier for all, a tracking number for each, both of which may
 * stay empty.
 */
export function ShipDialog({ orders, onClose, onShipped }: ShipDialogProps) {
  const { outcomes, ship } = useShipSeveral(onShipped);
  const ids = orders.map(({ id }) => id);
  const open = openIds(ids, outcomes);
  const form = useNewForm({
    schema: shipSchema,
    labels: { carrier: "Carrier of all", numbers: "Tracking numbers" },
    values: { carrier: "", numbers: orders.map(() => "") },
    save: ({ carrier, numbers }) =>
      ship(open.map((id) => ({ id, carrier, tracking_number: numbers[ids.indexOf(id)] }))),
  });
  const { isSaving } = form;

  function paste(event: ClipboardEvent, place: number): void {
    const pasted = pasteLines(form.typed.numbers, place, event.clipboardData.getData("text"));
    if (pasted === undefined) return;
    event.preventDefault();
    form.setValue(
      "numbers",
      pasted.map((number) => number.slice(0, MAX_LENGTH)),
    );
  }
  return (
    <FormModal title={`Ship ${countedOrders(orders.length)}?`} onClose={onClose}>
      <ChangeForm
        form={form}
        submit={open.length === 0 ? undefined : shipText(open, outcomes)}
        waiting={isSaving ? `Shipping… ${outcomes.size} of ${orders.length}` : undefined}
        actions={outcomes.size > 0 && !isSaving && <Button onClick={onClose}>Done</Button>}
      >
        <FormLead>
          <p className="text-ink-soft">
            Each customer gets an email with what you enter here. Everything may stay empty. Several
            lines that are pasted fill the fields below too.
          </p>
        </FormLead>
        <TextField form={form} name="carrier" maxLength={MAX_LENGTH} />
        <ul className="grid gap-3">
          {orders.map((order, place) => (
            <ShipmentRow
              key={order.id}
              order={order}
              field={form.register(`numbers.${place}`)}
              outcome={outcomes.get(order.id)}
              isLocked={isSaving || !open.includes(order.id)}
              onPaste={(event) => paste(event, place)}
            />
          ))}
        </ul>
      </ChangeForm>
    </FormModal>
  );
}

function shipText(open: readonly string[], outcomes: Outcomes): string {
  if (outcomes.size === 0) return "Ship";
  const orders = countedOrders(open.length);
  const asks = open.some((id) => outcomes.get(id)?.kind === "asks");
  return asks ? `Ship ${orders} anyway` : `Try ${orders} again`;
}

/** Such as `1 order` or `3 orders`. */
export function countedOrders(count: number): string {
  return count === 1 ? "1 order" : `${count} orders`;
}

interface ShipmentRowProps {
  readonly order: OrderRow;
  readonly field: UseFormRegisterReturn;
  readonly outcome: Outcome | undefined;
  /** Whether the number cannot be changed any more. */
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
