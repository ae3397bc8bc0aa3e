import { call } from "@keepsats/client";
import { orderPageSchema, paths } from "@keepsats/protocol";
import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import { type OrderFilter, parametersOf, withParameters } from "./order-filter.ts";
import { newPage, type ReadPage, refetchPage, type ShownPage } from "./stable-rows.ts";

/**
 * The orders of a filter, newest first.
 *
 * @param visit each visit starts a new list; within a visit the rows keep their places
 */
export function ordersQuery(filter: OrderFilter, visit: string) {
  const parameters = parametersOf(filter);
  const queryKey = ["orders", parameters.toString(), visit];
  return infiniteQueryOptions({
    queryKey,
    meta: { topics: ["orders"] },
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }: ShownPage) => next_cursor,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === parameters.toString() ? previous : undefined,
    queryFn: async ({ pageParam: cursor, client, signal }): Promise<ShownPage> => {
      const read: ReadPage = ({ cursor = "", ids = [] }) => {
        const query = new URLSearchParams(parameters);
        if (cursor !== "") query.set("cursor", cursor);
        if (ids.length > 0) query.set("ids", ids.join());
        const path = withParameters(paths.admin.orders, query);
        return call({ path, answer: orderPageSchema, signal });
      };
      const list = client.getQueryData<InfiniteData<ShownPage, string>>(queryKey);
      const page = list?.pages[list.pageParams.indexOf(cursor)];
      return list === undefined || page === undefined || page.rows.length === 0
        ? newPage(await read({ cursor }))
        : refetchPage(page, list.pages, read);
    },
  });
}

/** The address of the same orders as a CSV file. */
export function csvPath(filter: OrderFilter): string {
  return withParameters(paths.admin.ordersCsv, parametersOf(filter));
}
