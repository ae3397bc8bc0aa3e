import { orderName, shortOrderId } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { memo, type ReactNode } from "react";
import { Link } from "react-router";
import { counted } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { ItemPicture } from "../../ui/item-picture.tsx";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { SelectBox } from "../../ui/select-box.tsx";
import { Money, Time } from "../../ui/values.tsx";
import type { ShownRow } from "./stable-rows.ts";

interface OrdersTableProps {
  readonly rows: readonly ShownRow[];
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  /** Called for a click with Shift. */
  readonly onExtend: (id: string) => void;
}

/** Above this number, rows outside the window are not laid out: each key would take half a second. */
const MANY = 200;

/** The browser does not lay out a row of grid cells that is out of view; it lays out every table row. */
const columns =
  "sm:grid sm:items-center sm:grid-cols-(--order-columns) md:grid-cols-(--order-columns-medium) xl:grid-cols-(--order-columns-wide)";

/** The table of orders. On a phone each row has two lines. */
export function OrdersTable({ rows, selected, onToggle, onExtend }: OrdersTableProps) {
  return (
    <>
      <table className="block w-full text-left">
        <caption className="sr-only">Orders</caption>
        <thead className="block border-b border-line text-sm text-ink-soft max-sm:sr-only">
          <tr className={columns}>
            <Heading>
              <span className="sr-only">Select</span>
            </Heading>
            <Heading>Order</Heading>
            <Heading>Customer</Heading>
            <Heading className="max-xl:sr-only">Items</Heading>
            <Heading>Status</Heading>
            {rows.some(({ order }) => order.total_price !== undefined) && (
              <Heading className="text-right">Total</Heading>
            )}
            <Heading className="hidden md:block">Placed</Heading>
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
              onExtend={onExtend}
            />
          ))}
        </tbody>
      </table>
      <p className="pt-3 text-sm text-ink-soft max-lg:hidden">
        <kbd>?</kbd> lists the keys of this screen.
      </p>
    </>
  );
}

function Heading({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={classes("py-2 pr-4 font-medium", className)}>
      {children}
    </th>
  );
}

interface RowProps extends ShownRow {
  readonly isSelected: boolean;
  /** Whether the row is laid out only in or near the window. */
  readonly isOneOfMany: boolean;
  readonly onToggle: (id: string) => void;
  readonly onExtend: (id: string) => void;
}

/** Memoized, because there may be thousands of rows. */
const Row = memo(function Row(props: RowProps) {
  const { order, hasLeft, isSelected, isOneOfMany, onToggle, onExtend } = props;
  const { total_price } = order;
  const name = orderName(order);
  return (
    <tr
      className={classes(
        "relative focus-within:bg-sunken hover:bg-sunken",
        isOneOfMany &&
          "[contain-intrinsic-block-size:auto_var(--order-row)] [content-visibility:auto]",
        "max-sm:grid max-sm:grid-cols-[auto_1fr_auto] max-sm:py-2",
        columns,
        hasLeft && "text-ink-soft",
        isSelected && "bg-sunken",
      )}
    >
      <td className="max-sm:row-span-3">
        <SelectBox
          label={`Select order ${name}`}
          isSelected={isSelected}
          onToggle={() => onToggle(order.id)}
          onExtend={() => onExtend(order.id)}
          className="relative z-10 size-11"
        />
      </td>
      <td className="py-2 pr-4 max-sm:order-3 max-sm:py-0">
        <Link
          to={`/orders/${order.id}`}
          {...{ [rowLinkAttribute]: order.id }}
          className="money scroll-mt-20 font-medium whitespace-normal wrap-anywhere underline-offset-4 after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>
        {order.number !== undefined && (
          <span className="money block text-sm text-ink-soft max-md:hidden">
            {shortOrderId(order.id)}
          </span>
        )}
      </td>
      <td className="min-w-0 py-2 pr-4 wrap-anywhere max-sm:order-1 max-sm:py-0">
        {order.customer_name || <span className="text-ink-soft">erased</span>}
        <span className="block text-sm text-ink-soft max-md:hidden">{order.customer_email}</span>
      </td>
      <td className="py-2 pr-4 max-xl:order-last max-xl:pt-0 max-sm:col-span-2 max-sm:py-0 sm:max-xl:col-start-3 sm:max-xl:col-end-[-1]">
        <Contents order={order} />
      </td>
      <td className="py-2 pr-4 max-sm:order-4 max-sm:py-0 max-sm:pr-0 max-sm:text-right">
        {hasLeft ? "no longer in this list" : <StatusLabel status={order.status} />}
      </td>
      {total_price === undefined ? (
        <td className="max-sm:order-2 sm:hidden" />
      ) : (
        <td className="py-2 pr-4 text-right max-sm:order-2 max-sm:py-0 max-sm:pr-0">
          <Money cents={total_price} />
        </td>
      )}
      <td className="hidden py-2 text-sm whitespace-nowrap text-ink-soft md:block">
        <Time at={order.created_at} />
      </td>
    </tr>
  );
});

function Contents({ order: { pictures = [], item_count } }: Pick<ShownRow, "order">) {
  if (item_count === undefined) return null;
  return (
    <span className="flex items-center gap-1.5 text-sm whitespace-nowrap text-ink-soft">
      {[...new Set(pictures)].map((url) => (
        <ItemPicture key={url} url={url} className="size-8 shrink-0" />
      ))}
      <span className="pl-1">{counted(item_count, "item")}</span>
    </span>
  );
}

/** Marks the link of each row; its value is the order's id. */
const rowLinkAttribute = "data-order";

/**
 * The keys of the table. The current row is the one with the focus; Enter opens the order of a
 * focused link.
 *
 * @param toggle selects or deselects an order
 */
export function useTableKeys(toggle: (id: string) => void): void {
  useShortcuts(
    new Map([
      ["/", () => document.querySelector<HTMLElement>("input[type=search]")?.focus()],
      ["j", () => focusRow((focused) => focused + 1)],
      ["k", () => focusRow((focused) => Math.max(0, focused - 1))],
      [
        "x",
        () => {
          const { links, focused } = rowLinks();
          const id = links[focused]?.getAttribute(rowLinkAttribute);
          if (id) toggle(id);
        },
      ],
    ]),
  );
}

/** Focuses a row, unless there is none. `focused` is -1 if no row has the focus. */
function focusRow(next: (focused: number) => number): void {
  const { links, focused } = rowLinks();
  links[next(focused)]?.focus();
}

function rowLinks() {
  const links = [...document.querySelectorAll<HTMLElement>(`[${rowLinkAttribute}]`)];
  return {
    links,
    focused: links.findIndex((link) => link.closest("tr")?.matches(":focus-within")),
  };
}
