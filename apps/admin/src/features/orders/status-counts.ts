import { hasPermission } from "@keepsats/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { todayQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import type { OrderFilter } from "./order-filter.ts";
import { countsQuery } from "./queries.ts";

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
