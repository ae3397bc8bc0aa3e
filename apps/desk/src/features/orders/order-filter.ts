import { isOrderStatus, type OrderStatus, orderStatuses } from "@keepsats/domain";
import { useCallback, useMemo } from "react";
import { useLocation, useSearchParams } from "react-router";

/**
 * Which orders are listed. It is kept in the address of the screen, so that it can be linked to.
 */
export interface OrderFilter {
  /** What is searched for; empty for everything. */
  readonly text: string;
  /** Orders with one of these statuses; none for all. */
  readonly statuses: readonly OrderStatus[];
  /** Days such as `2026-11-23`, in UTC; empty for no limit. */
  readonly from: string;
  readonly to: string;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Reads the filter of an address. What makes no sense is left out. */
export function filterOf(parameters: URLSearchParams): OrderFilter {
  const statuses = (parameters.get("status") ?? "").split(",").filter(isOrderStatus);
  const dayOf = (name: string) => {
    const text = parameters.get(name) ?? "";
    return day.test(text) ? text : "";
  };
  return {
    text: parameters.get("q") ?? "",
    statuses: inTheirOrder(statuses),
    from: dayOf("from"),
    to: dayOf("to"),
  };
}

/**
 * The parameters of a filter, in an address of the desk and in a request: `q=moka&status=Shipped`.
 */
export function parametersOf({ text, statuses, from, to }: OrderFilter): URLSearchParams {
  const named = { q: text.trim(), status: statuses.join(), from, to };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ""));
}

/** A path with parameters, if there are any. */
export function withParameters(path: string, parameters: URLSearchParams): string {
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The statuses after one was added or taken away. */
export function toggled(
  statuses: readonly OrderStatus[],
  status: OrderStatus,
): readonly OrderStatus[] {
  const rest = statuses.filter((other) => other !== status);
  return rest.length < statuses.length ? rest : inTheirOrder([...statuses, status]);
}

/** Each once, in the order in which orders pass through them. */
function inTheirOrder(statuses: readonly OrderStatus[]): readonly OrderStatus[] {
  return orderStatuses.filter((status) => statuses.includes(status));
}

/** Describes the number of search results. @param hasMore whether only some of them are loaded */
export function foundText(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count} orders found`;
  return count === 1 ? "1 order found" : `${count} orders found`;
}

/** The filter of the address. `visit` changes with each step of the browser's history. */
export function useFilter() {
  const { key: visit } = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const filter = useMemo(() => filterOf(parameters), [parameters]);
  const change = useCallback(
    (part: Partial<OrderFilter>) =>
      setParameters((now) => parametersOf({ ...filterOf(now), ...part }), { replace: true }),
    [setParameters],
  );
  return { filter, change, visit };
}
