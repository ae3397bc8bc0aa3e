import { orderPageSchema, paths, transitionAnswerSchema, withId } from "@keepsats/protocol";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { type OrderFilter, parametersOf, withParameters } from "./order-filter.ts";

/** The orders of a filter, page by page. */
export function ordersQuery(filter: OrderFilter) {
  const parameters = parametersOf(filter);
  return infiniteQueryOptions({
    queryKey: ["orders", parameters.toString()],
    // The search is brought up to date together with the figures.
    meta: parameters.has("q") ? { topics: ["orders", "figures"], isLate: true } : { topics: ["orders"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const page = new URLSearchParams(parameters);
      if (pageParam !== "") page.set("cursor", pageParam);
      const path = withParameters(paths.merchant.orders, page);
      return call({ path, answer: orderPageSchema, signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** The address of the same orders as a table for spreadsheets. */
export function csvPath(filter: OrderFilter): string {
  return withParameters(paths.merchant.ordersCsv, parametersOf(filter));
}

/** Ships an order that is paid and was not moved meanwhile. */
export function shipOrder(id: string) {
  return call({
    path: withId(paths.merchant.transitions, id),
    method: "POST",
    body: { to: "Shipped", expected_status: "PaymentProcessed" },
    answer: transitionAnswerSchema,
  });
}
