import { type OrderStatus, orderStatuses } from "@keepsats/domain";
import { hasPermission } from "@keepsats/protocol";
import { CheckboxInput } from "@keepsats/ui/checkbox.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { todayQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { statusLabel } from "../../ui/order-labels.tsx";
import { Tab } from "../../ui/tab.tsx";
import { type OrderFilter, toggled } from "./order-filter.ts";
import { countsQuery } from "./queries.ts";

interface StatusTabsProps {
  readonly counts: StatusCounts | undefined;
  /** Empty for all statuses. */
  readonly selected: readonly OrderStatus[];
  readonly onSelect: (statuses: readonly OrderStatus[]) => void;
}

/**
 * One button per status, with the number of its orders. With "Select several" a button adds or
 * removes its status; without, it selects only this status.
 */
export function StatusTabs({ counts, selected, onSelect }: StatusTabsProps) {
  const boxId = useId();
  const [allowsSeveral, setAllowsSeveral] = useState(false);
  const isSeveral = allowsSeveral || selected.length > 1;

  function changeSeveral(): void {
    setAllowsSeveral(!isSeveral);
    if (isSeveral) onSelect(selected.slice(0, 1));
  }
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Status</legend>
      {/* The padding keeps the scrolled strip from clipping the focus outline. */}
      <div className="scroll-hint-x -mx-4 -my-2 scroll-px-4 px-4 py-2 sm:-mx-2 sm:scroll-px-2 sm:px-2">
        <div className="flex w-max min-w-full gap-1 border-b border-line">
          <Tab isPressed={selected.length === 0} onClick={() => onSelect([])}>
            All
            <Count count={countOf(counts, [])} />
          </Tab>
          {orderStatuses.map((status) => (
            <Tab
              key={status}
              isPressed={selected.includes(status)}
              onClick={() => onSelect(isSeveral ? toggled(selected, status) : [status])}
            >
              {statusLabel(status)}
              <Count count={counts?.get(status)} />
            </Tab>
          ))}
          <label
            htmlFor={boxId}
            className="ml-auto flex min-h-11 items-center gap-2 pl-3 whitespace-nowrap text-ink-soft"
          >
            <CheckboxInput id={boxId} checked={isSeveral} onChange={changeSeveral} />
            Select several
          </label>
        </div>
      </div>
    </fieldset>
  );
}

function Count({ count }: { count: OrderCount | undefined }) {
  if (count === undefined) return null;
  return <span className="money text-sm text-ink-soft">{countText(count)}</span>;
}

/** A number of orders. `more`: there may be more, because counting ends at a limit. */
export interface OrderCount {
  readonly orders: number;
  readonly more: boolean;
}

/** The numbers of orders by status. */
export type StatusCounts = ReadonlyMap<string, OrderCount>;

/** The number of orders with any of these statuses; with any status if there are none. */
export function countOf(
  counts: StatusCounts | undefined,
  statuses: readonly string[],
): OrderCount | undefined {
  if (counts === undefined) return undefined;
  const some = [...counts].flatMap(([status, count]) =>
    statuses.length === 0 || statuses.includes(status) ? [count] : [],
  );
  return {
    orders: some.reduce((sum, { orders }) => sum + orders, 0),
    more: some.some(({ more }) => more),
  };
}

/** `1,200`, or `500+`; empty if nothing is known. */
export function countText({ orders, more }: OrderCount): string {
  if (more && orders === 0) return "";
  return `${orders.toLocaleString("en")}${more ? "+" : ""}`;
}

/**
 * The orders of each status that match the search and the days. All orders are counted exactly, if
 * the role permits figures.
 */
export function useStatusCounts(filter: OrderFilter): StatusCounts | undefined {
  const { text, from, to } = filter;
  const { role } = useSession().staff;
  const isFiltered = [text.trim(), from, to].some((part) => part !== "");
  const isExact = !isFiltered && hasPermission(role, "reports:read");
  const today = useQuery({ ...todayQuery, enabled: isExact });
  const filtered = useQuery({
    ...countsQuery(filter),
    enabled: !isExact,
    placeholderData: keepPreviousData,
  });
  const exact = today.data?.orders_by_status.map((count) => ({ ...count, more: false }));
  const counts = isExact ? exact : filtered.data?.orders_by_status;
  return counts && new Map(counts.map(({ status, orders, more }) => [status, { orders, more }]));
}
