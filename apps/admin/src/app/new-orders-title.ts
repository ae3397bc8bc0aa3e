import { hasPermission, type Today } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { todayQuery } from "../lib/queries.ts";
import { useSession } from "../lib/session.ts";

/** Shows the number of orders placed while the tab was hidden in its title. */
export function useNewOrdersTitle(): void {
  const { role } = useSession().staff;
  const { data: orders } = useQuery({
    ...todayQuery,
    select: countOrders,
    enabled: hasPermission(role, "reports:read"),
  });
  const newOrders = useRef(noNewOrders);
  useEffect(() => {
    function update(): void {
      newOrders.current = countNewOrders(newOrders.current, { isHidden: document.hidden, orders });
      document.title = titleWithCount(document.title, newOrders.current);
    }
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, [orders]);
}

export interface NewOrders {
  /** The number of orders when the tab was last visible; `undefined` while it is unknown. */
  readonly seen: number | undefined;
  /** The number of orders placed since. */
  readonly count: number;
}

export const noNewOrders: NewOrders = { seen: undefined, count: 0 };

export function countOrders({ orders_by_status }: Pick<Today, "orders_by_status">): number {
  return orders_by_status.reduce((sum, { orders }) => sum + orders, 0);
}

/** @param orders the number of orders now; `undefined` while it is unknown */
export function countNewOrders(
  { seen, count }: NewOrders,
  { isHidden, orders }: { readonly isHidden: boolean; readonly orders: number | undefined },
): NewOrders {
  if (!isHidden) return { seen: orders ?? seen, count: 0 };
  if (orders === undefined) return { seen, count };
  return { seen: seen ?? orders, count: Math.max(0, orders - (seen ?? orders)) };
}

/** Replaces the count in a title, such as `(3) Orders · Admin`. */
export function titleWithCount(title: string, { count }: NewOrders): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  return count === 0 ? plain : `(${count > 99 ? "99+" : count}) ${plain}`;
}
