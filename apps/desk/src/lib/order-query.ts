import { call } from "@keepsats/client";
import { merchantOrderSchema, paths, withId } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";
import { rereadAfter } from "./reread-after.ts";

/**
 * One order with everything that is known about it. @param id its id, or the beginning of it, which
 * is not live
 */
export function orderQuery(id: string) {
  return queryOptions({
    queryKey: ["order", id],
    // Its mails and its money change with the other topics.
    meta: { topics: ["orders", "deliveries", "mismatches"] },
    queryFn: ({ signal }) =>
      call({ path: withId(paths.merchant.order, id), answer: merchantOrderSchema, signal }),
    refetchInterval: ({ state }) => rereadAfter(state.data?.deliveries ?? [], Date.now()),
  });
}
