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
  /** The number of orders when the tab was last visible. */
  const seen = useRef<number>(undefined);
  useEffect(() => {
    function update(): void {
      if (orders === undefined) return;
      if (seen.current === undefined || !document.hidden) seen.current = orders;
      document.title = titleWithCount(document.title, orders - seen.current);
    }
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, [orders]);
}

export function countOrders({ orders_by_status }: Pick<Today, "orders_by_status">): number {
  return orders_by_status.reduce((sum, { orders }) => sum + orders, 0);
}

/** Replaces the count in a title, such as `(3) Orders · Admin`. */
export function titleWithCount(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  return count <= 0 ? plain : `(${count > 99 ? "99+" : count}) ${plain}`;
}
