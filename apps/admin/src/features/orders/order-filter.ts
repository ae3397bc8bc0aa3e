import { isOrderStatus, type OrderStatus, orderStatuses } from "@keepsats/domain";
import { useCallback, useMemo } from "react";
import { useLocation, useSearchParams } from "react-router";
import { counted } from "../../lib/format.ts";
import { type Days, dayOf, filledParameters } from "../../lib/parameters.ts";

/** The filter of the list, kept in the address so that it can be linked to. */
export interface OrderFilter extends Days {
  /** The search text; empty for all orders. */
  readonly text: string;
  /** Orders with any of these statuses; empty for all. */
  readonly statuses: readonly OrderStatus[];
  /** Empty for the default of the statuses, see {@link sortingOf}. */
  readonly sort: Sorting | "";
}

const sortings = ["newest", "oldest"] as const;
export type Sorting = (typeof sortings)[number];

/** Orders to ship are sorted oldest first by default, because those wait longest. */
export function sortingOf({ sort, statuses }: Pick<OrderFilter, "sort" | "statuses">): Sorting {
  if (sort !== "") return sort;
  return statuses.join() === "PaymentProcessed" ? "oldest" : "newest";
}

/** The sorting that staff have chosen, as a filter has it: empty for the default. */
export function sortOf(filter: OrderFilter, chosen: string): OrderFilter["sort"] {
  if (chosen === sortingOf({ ...filter, sort: "" })) return "";
  return sortings.find((sorting) => sorting === chosen) ?? "";
}

/** Parses the filter of an address, without invalid values. */
export function filterOf(parameters: URLSearchParams): OrderFilter {
  const statuses = (parameters.get("status") ?? "").split(",").filter(isOrderStatus);
  return {
    text: parameters.get("q") ?? "",
    statuses: sorted(statuses),
    from: dayOf(parameters.get("from") ?? ""),
    to: dayOf(parameters.get("to") ?? ""),
    sort: sortings.find((sorting) => sorting === parameters.get("sort")) ?? "",
  };
}

/** The parameters of an address: `q=moka&status=Shipped`. */
export function parametersOf({ text, statuses, from, to, sort }: OrderFilter): URLSearchParams {
  return filledParameters({ q: text.trim(), status: statuses.join(), from, to, sort });
}

/** The parameters of a request. Newest first is the default of the server. */
export function requestOf(filter: OrderFilter): URLSearchParams {
  const parameters = parametersOf(filter);
  if (sortingOf(filter) === "oldest") parameters.set("sort", "oldest");
  else parameters.delete("sort");
  return parameters;
}

export function toggled(
  statuses: readonly OrderStatus[],
  status: OrderStatus,
): readonly OrderStatus[] {
  const rest = statuses.filter((other) => other !== status);
  return rest.length < statuses.length ? rest : sorted([...statuses, status]);
}

/** Each status once, in the order of an order's life. */
function sorted(statuses: readonly OrderStatus[]): readonly OrderStatus[] {
  return orderStatuses.filter((status) => statuses.includes(status));
}

/** @param hasMore whether only some of the results are loaded */
export function foundText(count: number, hasMore: boolean): string {
  return hasMore ? `More than ${count} orders found` : `${counted(count, "order")} found`;
}

/** The filter in the address. `visit` changes with each step in the browser's history. */
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
