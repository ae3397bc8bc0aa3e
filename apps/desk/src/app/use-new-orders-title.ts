import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { todayQuery } from "../lib/queries.ts";
import { newsAfter, nothingNew, ordersOf, titleWithNews } from "./new-orders.ts";

/** Puts the number of orders that came while the tab was hidden before its title. */
export function useNewOrdersTitle(): void {
  const { data: orders } = useQuery({ ...todayQuery, select: ordersOf });
  const news = useRef(nothingNew);
  useEffect(() => {
    function update(): void {
      news.current = newsAfter(news.current, { isHidden: document.hidden, orders });
      document.title = titleWithNews(document.title, news.current);
    }
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, [orders]);
}
