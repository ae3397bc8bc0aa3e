import { orderCountsSchema, paths, type Role } from "@keepsats/protocol";
import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import { apiQuery } from "../../lib/api.ts";
import { withParameters } from "../../lib/parameters.ts";
import { readOrderPage } from "../../lib/queries.ts";
import { type OrderFilter, parametersOf, requestOf, sortingOf } from "./order-filter.ts";
import { newPage, type ReadPage, refetchPage, type ShownPage } from "./stable-rows.ts";

/**
 * The orders of a filter.
 *
 * @param visit each visit starts a new list; within a visit the rows keep their places
 */
export function ordersQuery(filter: OrderFilter, visit: string, role: Role) {
  const parameters = requestOf(filter);
  const sorting = sortingOf(filter);
  const queryKey = ["orders", parameters.toString(), visit];
  return infiniteQueryOptions({
    queryKey,
    meta: { topics: ["orders"] },
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }: ShownPage) => next_cursor,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === parameters.toString() ? previous : undefined,
    queryFn: async ({ pageParam: cursor, client, signal }): Promise<ShownPage> => {
      const read: ReadPage = ({ cursor = "", ids = [], isNewest = false }) => {
        const query = new URLSearchParams(parameters);
        if (isNewest) query.delete("sort");
        if (cursor !== "") query.set("cursor", cursor);
        if (ids.length > 0) query.set("ids", ids.join());
        return readOrderPage(role, query, signal);
      };
      const list = client.getQueryData<InfiniteData<ShownPage, string>>(queryKey);
      const page = list?.pages[list.pageParams.indexOf(cursor)];
      return list === undefined || page === undefined || page.rows.length === 0
        ? newPage(await read({ cursor }))
        : refetchPage(page, list.pages, read, sorting);
    },
  });
}

/** The numbers of orders by status, for a search and days; counting ends at a limit. */
export function countsQuery({ text, from, to }: Pick<OrderFilter, "text" | "from" | "to">) {
  const parameters = parametersOf({ text, from, to, statuses: [], sort: "" });
  return apiQuery(withParameters(paths.admin.orderCounts, parameters), orderCountsSchema, [
    "figures",
  ]);
}

export function csvPath(filter: OrderFilter): string {
  return withParameters(paths.admin.ordersCsv, requestOf(filter));
}
