import { call } from "@keepsats/client";
import { type OrderPage, orderPageSchema, paths } from "@keepsats/protocol";
import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import { type OrderFilter, parametersOf, withParameters } from "./order-filter.ts";

export type OrderRow = OrderPage["orders"][number];

/** `left`: the order is not in the list any more, for example because it has shipped. */
export interface ShownRow {
  readonly order: OrderRow;
  readonly left: boolean;
}

/** A page of "Show more". Its rows keep their places when it is refetched. */
export interface ShownPage {
  readonly rows: readonly ShownRow[];
  readonly next_cursor: string | null;
  /** How many orders have come into the list above its last row and wait to be shown. */
  readonly arrived: number;
  readonly mayHaveMoreArrived: boolean;
}

type ReadPage = (request: {
  readonly cursor?: string;
  readonly ids?: readonly string[];
}) => Promise<OrderPage>;

/**
 * The orders of a filter, newest first.
 *
 * @param visit the list is read from its beginning for each visit; within a visit its rows keep
 *   their places
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
        const path = withParameters(paths.merchant.orders, query);
        return call({ path, answer: orderPageSchema, signal });
      };
      const list = client.getQueryData<InfiniteData<ShownPage, string>>(queryKey);
      const page = list?.pages[list.pageParams.indexOf(cursor)];
      return list === undefined || page === undefined || page.rows.length === 0
        ? newPage(await read({ cursor }))
        : rereadPage(page, list.pages, read);
    },
  });
}

export function newPage({ orders, next_cursor }: OrderPage): ShownPage {
  const rows = orders.map((order) => ({ order, left: false }));
  return { rows, next_cursor, arrived: 0, mayHaveMoreArrived: false };
}

/**
 * Refetches the orders of a page, and with the first page counts those that have arrived.
 *
 * @param pages all pages that are shown
 */
export async function rereadPage(
  page: ShownPage,
  pages: readonly ShownPage[],
  read: ReadPage,
): Promise<ShownPage> {
  const listed = await read({ ids: page.rows.map(({ order }) => order.id) });
  const current = new Map(listed.orders.map((order) => [order.id, order]));
  const rows = page.rows.map(({ order }) => ({
    order: current.get(order.id) ?? order,
    left: !current.has(order.id),
  }));
  if (page !== pages[0]) return { ...page, rows };
  return { ...page, rows, ...arrivedIn(await read({}), pages) };
}

function arrivedIn(newest: OrderPage, pages: readonly ShownPage[]) {
  const shown = pages.flatMap(({ rows }) => rows.map(({ order }) => order));
  const known = new Set(shown.map(({ id }) => id));
  // What is further down comes with "Show more".
  const end = pages.at(-1)?.next_cursor === null ? undefined : shown.at(-1);
  const arrived = newest.orders.filter(
    (order) => !known.has(order.id) && (end === undefined || isAbove(order, end)),
  ).length;
  const isFull = newest.next_cursor !== null && arrived === newest.orders.length;
  return { arrived, mayHaveMoreArrived: isFull };
}

/** The list is sorted by time, and by id within a second. */
function isAbove(one: OrderRow, other: OrderRow): boolean {
  return one.created_at === other.created_at
    ? one.id > other.id
    : one.created_at > other.created_at;
}

/** The address of the same orders as a table for spreadsheets. */
export function csvPath(filter: OrderFilter): string {
  return withParameters(paths.merchant.ordersCsv, parametersOf(filter));
}
