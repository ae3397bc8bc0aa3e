import { call } from "@keepsats/client";
import {
  type AdminOrder,
  erasureAnswerSchema,
  type NewReturn,
  type OrderPatch,
  orderPatchAnswerSchema,
  paths,
  type ReturnMove,
  returnAnswerSchema,
  withId,
  withReturnId,
} from "@keepsats/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { orderQuery, type PackingOrderView, packingOrderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";

/** Fetches an order, and invalidates it after a change. */
export function useOrder({ id }: Pick<AdminOrder, "id">) {
  const client = useQueryClient();
  const query = orderQuery(id);
  return {
    read: () => client.fetchQuery({ ...query, staleTime: 0 }),
    invalidate: () => void client.invalidateQueries({ queryKey: query.queryKey }),
  };
}

/** The same for a form that packers use too. */
export function useOrderToShip({ id }: Pick<AdminOrder, "id">) {
  const client = useQueryClient();
  const query = packingOrderQuery(id, useSession().staff.role);
  return {
    read: () => client.fetchQuery({ ...query, staleTime: 0 }),
    invalidate: () => void client.invalidateQueries({ queryKey: query.queryKey }),
  };
}

/**
 * Corrects fields of an order.
 *
 * @param seen the order as it was shown
 * @throws {ApiError} `order_changed` if it has changed since
 */
export async function correctOrder(
  seen: PackingOrderView,
  changes: OrderPatch,
): Promise<PackingOrderView> {
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

/** @param key idempotency key, reused when the same return is retried */
export function openReturn(orderId: string, body: NewReturn, key: string) {
  const path = withId(paths.admin.orderReturns, orderId);
  return call({ path, method: "POST", idempotencyKey: key, body, answer: returnAnswerSchema });
}

export function moveReturn(orderId: string, returnId: string, body: ReturnMove) {
  const path = withReturnId(paths.admin.returnMoves, orderId, returnId);
  return call({ path, method: "POST", body, answer: returnAnswerSchema });
}
