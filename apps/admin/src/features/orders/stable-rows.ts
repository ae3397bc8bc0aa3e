import type { OrderPage, PackingOrderPage } from "@keepsats/protocol";
import type { Sorting } from "./order-filter.ts";

/** A row of the list. Packers get no email address and no total. */
export type OrderRow = PackingOrderPage["orders"][number] &
  Partial<Pick<OrderPage["orders"][number], "customer_email" | "total_price">>;

/** A page as the server sends it. */
export interface ListedPage {
  readonly orders: readonly OrderRow[];
  readonly next_cursor: string | null;
}

export interface ShownRow {
  readonly order: OrderRow;
  /** Whether the order has left the list, for example because it has shipped. */
  readonly hasLeft: boolean;
}

/** A page of the list. Its rows keep their places when it is refetched. */
export interface ShownPage {
  readonly rows: readonly ShownRow[];
  readonly next_cursor: string | null;
  /** The number of new orders that belong above the last row, or to a list without more pages. */
  readonly arrived: number;
}

export type ReadPage = (request: {
  readonly cursor?: string;
  readonly ids?: readonly string[];
  /** Whether the newest orders are read, whatever the sorting of the list. */
  readonly isNewest?: boolean;
}) => Promise<ListedPage>;

export function newPage({ orders, next_cursor }: ListedPage): ShownPage {
  const rows = orders.map((order) => ({ order, hasLeft: false }));
  return { rows, next_cursor, arrived: 0 };
}

/**
 * Refetches the orders of a page. The first page also counts the new orders.
 *
 * @param pages all pages that are shown
 */
export async function refetchPage(
  page: ShownPage,
  pages: readonly ShownPage[],
  read: ReadPage,
  sorting: Sorting,
): Promise<ShownPage> {
  const listed = await read({ ids: page.rows.map(({ order }) => order.id) });
  const current = new Map(listed.orders.map((order) => [order.id, order]));
  const rows = page.rows.map(({ order }) => ({
    order: current.get(order.id) ?? order,
    hasLeft: !current.has(order.id),
  }));
  if (page !== pages[0]) return { ...page, rows };
  return { ...page, rows, arrived: arrivedIn(await read({ isNewest: true }), pages, sorting) };
}

function arrivedIn(newest: ListedPage, pages: readonly ShownPage[], sorting: Sorting): number {
  const shown = pages.flatMap(({ rows }) => rows.map(({ order }) => order));
  const known = new Set(shown.map(({ id }) => id));
  // "Show more" loads the orders below the last row.
  const end = pages.at(-1)?.next_cursor === null ? undefined : shown.at(-1);
  return newest.orders.filter(
    (order) => !known.has(order.id) && (end === undefined || isAbove(order, end, sorting)),
  ).length;
}

/** The list is sorted by time, and by id within a second. */
function isAbove(row: OrderRow, other: OrderRow, sorting: Sorting): boolean {
  if (row.id === other.id) return false;
  const isNewer =
    row.created_at === other.created_at ? row.id > other.id : row.created_at > other.created_at;
  return isNewer === (sorting === "newest");
}
