import { call } from "@keepsats/client";
import {
  type AdminOrder,
  erasureAnswerSchema,
  type OrderPatch,
  orderPatchAnswerSchema,
  paths,
  type TransitionRequest,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { orderQuery } from "../../lib/queries.ts";

/** Fetches an order, and invalidates it after a change. */
export function useOrder({ id }: Pick<AdminOrder, "id">) {
  const client = useQueryClient();
  const query = orderQuery(id);
  return {
    read: () => client.fetchQuery({ ...query, staleTime: 0 }),
    invalidate: () => void client.invalidateQueries({ queryKey: query.queryKey }),
  };
}

export function moveOrder(id: string, body: TransitionRequest) {
  const path = withId(paths.admin.transitions, id);
  return call({ path, method: "POST", body, answer: transitionAnswerSchema });
}

/**
 * Corrects fields of an order.
 *
 * @param seen the order as it was shown
 * @throws {ApiError} `order_changed` if it has changed since
 */
export async function correctOrder(seen: AdminOrder, changes: OrderPatch): Promise<AdminOrder> {
  const { id, shipping_address, carrier, tracking_number, tracking_url } = seen;
  const expected = { shipping_address, carrier, tracking_number, tracking_url };
  await call({
    path: withId(paths.admin.order, id),
    method: "PATCH",
    body: { ...changes, expected },
    answer: orderPatchAnswerSchema,
  });
  const corrected = { ...seen, ...changes };
  return {
    ...seen,
    shipping_address: corrected.shipping_address ?? shipping_address,
    carrier: corrected.carrier ?? null,
    tracking_number: corrected.tracking_number ?? null,
    tracking_url: corrected.tracking_url ?? null,
  };
}

export function eraseOrder(id: string) {
  return call({
    path: withId(paths.admin.erasure, id),
    method: "POST",
    body: {},
    answer: erasureAnswerSchema,
  });
}
