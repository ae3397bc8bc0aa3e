import { call } from "@keepsats/client";
import { paths, todaySchema } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

/**
 * What is to do, and the figures of the shop. The numbers beside the statuses of orders come from
 * it too.
 */
export const todayQuery = queryOptions({
  queryKey: ["today"],
  meta: { topics: ["figures", "mismatches", "deliveries", "items"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.today, answer: todaySchema, signal }),
});
