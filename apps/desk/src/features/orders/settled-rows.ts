import type { OrderRow } from "./order-list.ts";

/**
 * A row of the table. `left`: the order is not in the list any more, for example because it has
 * shipped.
 */
export interface ShownRow {
  readonly order: OrderRow;
  readonly left: boolean;
}

/**
 * The rows of a table that does not move under the pointer, and how many orders wait to be shown.
 */
export interface SettledRows {
  readonly rows: readonly ShownRow[];
  readonly arrived: number;
}

/**
 * Puts what was read into the rows that are shown. Rows keep their places: an order that has left
 * the list stays where it was, and orders that are new in it wait. Orders further down than the
 * last row, which "Show more" has read, are appended.
 *
 * @param shown the rows as they are
 * @param listed the list as it is now, in its order
 */
export function settle(shown: readonly ShownRow[], listed: readonly OrderRow[]): SettledRows {
  const now = new Map(listed.map((order) => [order.id, order]));
  const known = new Set(shown.map(({ order }) => order.id));
  const kept = shown.map(({ order }) => {
    const current = now.get(order.id);
    return { order: current ?? order, left: current === undefined };
  });
  const lastPlace = listed.findLastIndex(({ id }) => known.has(id));
  const isNew = ({ id }: OrderRow) => !known.has(id);
  const appended = listed.slice(lastPlace + 1).filter(isNew);
  if (lastPlace === -1 && shown.length > 0) return { rows: kept, arrived: appended.length };
  const arrived = listed.slice(0, lastPlace + 1).filter(isNew).length;
  return { rows: [...kept, ...appended.map((order) => ({ order, left: false }))], arrived };
}

/** The rows of a list that is shown afresh. */
export function freshRows(listed: readonly OrderRow[]): readonly ShownRow[] {
  return listed.map((order) => ({ order, left: false }));
}
