import { call } from "@keepsats/client";
import { merchantItemsSchema, orderPageSchema, paths } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

/** How many of the last orders are shown. */
const LAST = 5;

/** The orders that were placed last. */
export const lastOrdersQuery = queryOptions({
  queryKey: ["last orders"],
  meta: { topics: ["orders"] },
  queryFn: async ({ signal }) =>
    (
      await call({
        path: `${paths.merchant.orders}?limit=${LAST}`,
        answer: orderPageSchema,
        signal,
      })
    ).orders,
});

/** Whether the shop has an item, for the first steps of a new shop. */
export const hasItemsQuery = queryOptions({
  queryKey: ["has items"],
  meta: { topics: ["items"] },
  queryFn: async ({ signal }) =>
    (await call({ path: paths.merchant.items, answer: merchantItemsSchema, signal })).items.length >
    0,
});
