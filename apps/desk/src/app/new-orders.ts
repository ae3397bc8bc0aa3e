import type { Today } from "@keepsats/protocol";

/** What has come while nobody looked at the tab. */
export interface News {
  /**
   * How many orders the shop had when somebody last looked; `undefined` while that is not known.
   */
  readonly seen: number | undefined;
  /** How many it has got since. */
  readonly count: number;
}

export const nothingNew: News = { seen: undefined, count: 0 };

/** How many orders the shop has. */
export function ordersOf({ orders_by_status }: Pick<Today, "orders_by_status">): number {
  return orders_by_status.reduce((sum, { orders }) => sum + orders, 0);
}

/**
 * Counts the orders that come while the tab is hidden. Whoever looks at it has seen them.
 *
 * @param orders how many the shop has now, if that is known
 */
export function newsAfter(
  { seen, count }: News,
  { isHidden, orders }: { readonly isHidden: boolean; readonly orders: number | undefined },
): News {
  if (!isHidden) return { seen: orders ?? seen, count: 0 };
  if (orders === undefined) return { seen, count };
  return { seen: seen ?? orders, count: Math.max(0, orders - (seen ?? orders)) };
}

/**
 * The title of the tab with what is new, such as `(3) Orders · Desk`; any number that it had goes.
 */
export function titleWithNews(title: string, { count }: News): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  return count === 0 ? plain : `(${count > 99 ? "99+" : count}) ${plain}`;
}
