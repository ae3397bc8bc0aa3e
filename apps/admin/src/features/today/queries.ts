import { call } from "@keepsats/client";
import { bestSellersSchema, orderPageSchema, type PeriodLength, paths } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

/** How many of the last orders are shown. */
const LAST_ORDERS = 5;

export const lastOrdersQuery = queryOptions({
  queryKey: ["last orders"],
  meta: { topics: ["orders"] },
  queryFn: async ({ signal }) => {
    const path = `${paths.admin.orders}?limit=${LAST_ORDERS}`;
    return (await call({ path, answer: orderPageSchema, signal })).orders;
  },
});

export function bestSellersQuery(days: PeriodLength) {
  return queryOptions({
    queryKey: ["best sellers", days],
    meta: { topics: ["figures", "settings"] },
    queryFn: ({ signal }) =>
      call({ path: `${paths.admin.bestSellers}?days=${days}`, answer: bestSellersSchema, signal }),
  });
}
