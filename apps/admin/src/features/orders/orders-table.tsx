import { shortOrderId } from "@keepsats/domain";
import { CheckboxInput } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { memo, useId } from "react";
import { Link } from "react-router";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { Money, Time } from "../../ui/values.tsx";
import type { ShownRow } from "./stable-rows.ts";
import { rowLinkAttribute } from "./table-keys.ts";

interface OrdersTableProps {
  readonly rows: readonly ShownRow[];
  /** The ids of the selected orders. */
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

/**
 * Above this number, rows outside of the window are not laid out: each key would take half a
 * second.
 */
const MANY = 200;

/** The rows are grids, because the browser skips only such rows while they are out of view. */
const columns =
  "sm:grid sm:items-center sm:grid-cols-(--order-columns) md:grid-cols-(--order-columns-wide)";

/** The table of orders. On a phone each row has two lines. */
export function OrdersTable({ rows, selected, onToggle }: OrdersTableProps) {
  return (
    <>
      <table className="block w-full text-left">
        <caption className="sr-only">Orders</caption>
        <thead className="block border-b border-line text-sm text-ink-soft max-sm:sr-only">
          <tr className={columns}>
            <th scope="col" className="py-2">
              <span className="sr-only">Select</span>
            </th>
            <th scope="col" className="py-2 pr-4 font-medium">
              Order
            </th>
            <th scope="col" className="py-2 pr-4 font-medium">
              Customer
            </th>
            <th scope="col" className="py-2 pr-4 font-medium">
              Status
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              Total
            </th>
            <th scope="col" className="hidden py-2 font-medium md:block">
              Placed
            </th>
          </tr>
        </thead>
        <tbody className="block divide-y divide-line">
          {rows.map((row) => (
            <Row
              key={row.order.id}
              {...row}
              isSelected={selected.has(row.order.id)}
              isOneOfMany={rows.length > MANY}
              onToggle={onToggle}
            />
          ))}
        </tbody>
      </table>
      <p className="pt-3 text-sm text-ink-soft max-lg:hidden">
        Keys: <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>Enter</kbd> opens, <kbd>x</kbd>{" "}
        selects, <kbd>/</kbd> searches.
      </p>
    </>
  );
}

interface RowProps extends ShownRow {
  readonly isSelected: boolean;
  /** Whether the row is laid out only in or near the window. */
  readonly isOneOfMany: boolean;
  readonly onToggle: (id: string) => void;
}

/** Memoized, because there may be thousands of rows. */
const Row = memo(function Row({ order, left, isSelected, isOneOfMany, onToggle }: RowProps) {
  const number = shortOrderId(order.id);
  const boxId = useId();
  return (
    <tr
      className={classes(
        "relative focus-within:bg-sunken hover:bg-sunken",
        isOneOfMany &&
          "[contain-intrinsic-block-size:auto_var(--order-row)] [content-visibility:auto]",
        "max-sm:grid max-sm:grid-cols-[auto_1fr_auto] max-sm:py-2",
        columns,
        left && "text-ink-soft",
        isSelected && "bg-sunken",
      )}
    >
      <td className="max-sm:row-span-2">
        <label htmlFor={boxId} className="relative z-10 flex size-11 items-center justify-center">
          <span className="sr-only">Select order {number}</span>
          <CheckboxInput id={boxId} checked={isSelected} onChange={() => onToggle(order.id)} />
        </label>
      </td>
      <td className="py-2 pr-4 max-sm:order-3 max-sm:py-0">
        <Link
          to={`/orders/${order.id}`}
          {...{ [rowLinkAttribute]: order.id }}
          className="money scroll-mt-20 font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
        >
          {number}
        </Link>
      </td>
      <td className="min-w-0 py-2 pr-4 wrap-anywhere max-sm:order-1 max-sm:py-0">
        {order.customer_name || <span className="text-ink-soft">erased</span>}
        <span className="block text-sm text-ink-soft max-md:hidden">{order.customer_email}</span>
      </td>
      <td className="py-2 pr-4 max-sm:order-4 max-sm:py-0 max-sm:pr-0 max-sm:text-right">
        {left ? "no longer in this list" : <StatusLabel status={order.status} />}
      </td>
      <td className="py-2 pr-4 text-right max-sm:order-2 max-sm:py-0 max-sm:pr-0">
        <Money cents={order.total_price} />
      </td>
      <td className="hidden py-2 text-sm whitespace-nowrap text-ink-soft md:block">
        <Time at={order.created_at} />
      </td>
    </tr>
  );
});
