import { orderName, type StaffStatus } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { type ClipboardEvent, type ReactNode, useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { inputClasses } from "../../ui/input.tsx";
import { type Outcome, outcomeText } from "./bulk-moves.ts";
import type { OrderRow } from "./stable-rows.ts";

interface RowProps {
  readonly order: OrderRow;
  readonly to: StaffStatus;
  readonly outcome: Outcome | undefined;
}

/** An order of a bulk action with its outcome. */
export function MovedRow({ order, to, outcome }: RowProps) {
  return (
    <li>
      <p className="text-sm wrap-anywhere">
        <OrderLabel order={order}>{orderName(order)}</OrderLabel>
      </p>
      <OutcomeLine to={to} outcome={outcome} />
    </li>
  );
}

interface ShipmentRowProps extends RowProps {
  readonly field: UseFormRegisterReturn;
  readonly maxLength: number;
  /** Whether the number is read-only. */
  readonly isLocked: boolean;
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

/** An order to ship with its tracking number and its outcome. */
export function ShipmentRow(props: ShipmentRowProps) {
  const { order, to, field, outcome, maxLength, isLocked, onPaste } = props;
  const id = useId();
  return (
    <li>
      <label htmlFor={id} className="mb-1 block text-sm wrap-anywhere">
        <OrderLabel order={order}>Tracking number of {orderName(order)}</OrderLabel>
      </label>
      <input
        id={id}
        maxLength={maxLength}
        readOnly={isLocked}
        aria-describedby={`${id}-outcome`}
        onPaste={isLocked ? undefined : onPaste}
        className={classes(inputClasses, "read-only:bg-sunken read-only:text-ink-soft")}
        {...field}
      />
      <OutcomeLine id={`${id}-outcome`} to={to} outcome={outcome} />
    </li>
  );
}

function OrderLabel({ order, children }: { order: OrderRow; children: ReactNode }) {
  return (
    <>
      <span className="font-medium">{children}</span>{" "}
      <span className="text-ink-soft">{order.customer_name}</span>
    </>
  );
}

function OutcomeLine({ id, to, outcome }: Omit<RowProps, "order"> & { readonly id?: string }) {
  return (
    <p
      id={id}
      role="status"
      className={classes("pt-0.5 text-sm", outcome?.kind !== "moved" && "text-danger")}
    >
      {outcome !== undefined && outcomeText(to, outcome)}
    </p>
  );
}
