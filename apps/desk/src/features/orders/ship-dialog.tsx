import { shortOrderId } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { type ClipboardEvent, type FormEvent, useId, useState } from "react";
import { FormActions } from "../../ui/form-actions.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { Input, inputClasses } from "../../ui/input.tsx";
import type { OrderRow } from "./order-list.ts";
import {
  type Outcome,
  type Outcomes,
  openIds,
  outcomeText,
  pasteLines,
  shipmentReport,
} from "./ship-several.ts";
import { useShipSeveral } from "./use-ship-several.ts";

const MAX_LENGTH = 100;

interface ShipDialogProps {
  readonly orders: readonly OrderRow[];
  readonly onClose: () => void;
  /** Called when all of them have shipped. */
  readonly onShipped: () => void;
}

/**
 * Ships several paid orders: one carrier for all, a tracking number for each, both of which may
 * stay empty.
 */
export function ShipDialog({ orders, onClose, onShipped }: ShipDialogProps) {
  const [carrier, setCarrier] = useState("");
  const [numbers, setNumbers] = useState<readonly string[]>(() => orders.map(() => ""));
  const { outcomes, ship, isPending } = useShipSeveral(onShipped);
  const ids = orders.map(({ id }) => id);
  const open = openIds(ids, outcomes);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isPending) return;
    ship(
      open.map((id) => ({
        id,
        ...filled({ carrier, tracking_number: numbers[ids.indexOf(id)] ?? "" }),
      })),
    );
  }
  return (
    <FormModal title={`Ship ${countedOrders(orders.length)}?`} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        <FormLead>
          <p className="text-ink-soft">
            Each shopper is told that their order is on its way, with what you enter here.
            Everything may stay empty. Several lines that are pasted fill the fields below too.
          </p>
        </FormLead>
        <Input
          label="Carrier of all"
          value={carrier}
          maxLength={MAX_LENGTH}
          onChange={({ target }) => setCarrier(target.value)}
        />
        <ul className="grid gap-3">
          {orders.map((order, place) => (
            <ShipmentRow
              key={order.id}
              order={order}
              number={numbers[place] ?? ""}
              outcome={outcomes.get(order.id)}
              isLocked={isPending || !open.includes(order.id)}
              onChange={(number) => setNumbers(numbers.with(place, number))}
              onPaste={(event) => {
                const pasted = pasteLines(numbers, place, event.clipboardData.getData("text"));
                if (pasted === undefined) return;
                event.preventDefault();
                setNumbers(pasted.map((number) => number.slice(0, MAX_LENGTH)));
              }}
            />
          ))}
        </ul>
        <FormActions failure={isPending ? undefined : failureOf(outcomes)}>
          {open.length > 0 && (
            <Button kind="strong" type="submit" aria-disabled={isPending}>
              {isPending
                ? `Shipping… ${outcomes.size} of ${orders.length}`
                : shipText(open.length, orders.length)}
            </Button>
          )}
          {outcomes.size > 0 && !isPending && <Button onClick={onClose}>Done</Button>}
        </FormActions>
      </form>
    </FormModal>
  );
}

function failureOf(outcomes: Outcomes): string | undefined {
  const { kind, title } = shipmentReport(outcomes);
  return kind === "error" ? `${title}. Each order shows its reason.` : undefined;
}

function shipText(open: number, all: number): string {
  return open === all ? "Ship" : `Try ${countedOrders(open)} again`;
}

/** Such as `1 order` or `3 orders`. */
export function countedOrders(count: number): string {
  return count === 1 ? "1 order" : `${count} orders`;
}

function filled(fields: Readonly<Record<"carrier" | "tracking_number", string>>) {
  const texts = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

interface ShipmentRowProps {
  readonly order: OrderRow;
  readonly number: string;
  readonly outcome: Outcome | undefined;
  /** Whether the number cannot be changed any more. */
  readonly isLocked: boolean;
  readonly onChange: (number: string) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

function ShipmentRow({ order, number, outcome, isLocked, onChange, onPaste }: ShipmentRowProps) {
  const id = useId();
  return (
    <li>
      <label htmlFor={id} className="mb-1 block text-sm wrap-anywhere">
        <span className="font-medium">Tracking number of {shortOrderId(order.id)}</span>{" "}
        <span className="text-ink-soft">{order.customer_name}</span>
      </label>
      <input
        id={id}
        value={number}
        maxLength={MAX_LENGTH}
        readOnly={isLocked}
        aria-describedby={`${id}-outcome`}
        onChange={({ target }) => onChange(target.value)}
        onPaste={isLocked ? undefined : onPaste}
        className={classes(inputClasses, "read-only:bg-sunken read-only:text-ink-soft")}
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
