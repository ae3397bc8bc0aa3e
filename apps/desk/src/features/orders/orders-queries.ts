import { call } from "@keepsats/client";
import { orderPageSchema, paths } from "@keepsats/protocol";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { changedOrdersSince } from "../../lib/changed-orders.ts";
import { type OrderFilter, parametersOf, withParameters } from "./order-filter.ts";
import {
  firstList,
  type OrderList,
  type PageRequest,
  rereadList,
  withPage,
  withReread,
} from "./order-list.ts";

/** How long a search may be behind a change, in milliseconds. */
const SEARCH_DELAY = 20_000;

/** The orders of a filter that are loaded. After a change only what has changed is read. */
export function ordersQuery(filter: OrderFilter) {
  const parameters = parametersOf(filter);
  const isLate = parameters.has("q");
  const queryKey = ["orders", parameters.toString()];
  return queryOptions({
    queryKey,
    // The search is brought up to date together with the figures.
    meta: isLate ? { topics: ["orders", "figures"], isLate } : { topics: ["orders"] },
    queryFn: async ({ client, signal }): Promise<OrderList> => {
      const readAt = performance.now();
      const list = client.getQueryData<OrderList>(queryKey);
      const read = (request: PageRequest) => readPage(parameters, request, signal);
      if (list === undefined) return firstList(await read({}), readAt);
      const changed = changedOrdersSince(client, list.readAt - (isLate ? SEARCH_DELAY : 0));
      const reread = await rereadList(list, changed, read);
      // "Show more" may have read a page meanwhile.
      return withReread(client.getQueryData<OrderList>(queryKey) ?? list, reread, readAt);
    },
  });
}

function readPage(
  parameters: URLSearchParams,
  { cursor, limit, ids }: PageRequest,
  signal: AbortSignal | undefined,
) {
  const asked = new URLSearchParams(parameters);
  if (cursor) asked.set("cursor", cursor);
  if (limit !== undefined) asked.set("limit", String(limit));
  if (ids !== undefined) asked.set("ids", ids.join());
  const path = withParameters(paths.merchant.orders, asked);
  return call({ path, answer: orderPageSchema, ...(signal === undefined ? {} : { signal }) });
}

/** Reads the next page of a list. */
export function useMoreOrders(filter: OrderFilter) {
  const client = useQueryClient();
  const { queryKey } = ordersQuery(filter);
  return useMutation({
    mutationKey: queryKey,
    async mutationFn() {
      const cursor = client.getQueryData(queryKey)?.next_cursor;
      if (!cursor) return;
      const page = await readPage(parametersOf(filter), { cursor }, undefined);
      client.setQueryData(queryKey, (list) => list && withPage(list, page));
    },
  });
}

/** The address of the same orders as a table for spreadsheets. */
export function csvPath(filter: OrderFilter): string {
  return withParameters(paths.merchant.ordersCsv, parametersOf(filter));
}
