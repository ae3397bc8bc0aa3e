import { call } from "@keepsats/client";
import {
  erasureAnswerSchema,
  type NewReturn,
  type NoteRequest,
  noteAnswerSchema,
  type OrderPatch,
  orderPatchAnswerSchema,
  paths,
  type ReturnMove,
  returnAnswerSchema,
  withId,
} from "@keepsats/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { post } from "../../lib/api.ts";
import type { OrderView } from "../../lib/queries.ts";

/** Returns a function that refetches an order after a change. */
export function useInvalidateOrder({ id }: Pick<OrderView, "id">) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["order", id] });
}

/**
 * Corrects fields of an order.
 *
 * @param seen the order as it was shown
 * @throws {ApiError} `order_changed` if it has changed since
 */
export function correctOrder(seen: OrderView, changes: OrderPatch) {
  const { id, shipping_address, carrier, tracking_number, tracking_url } = seen;
  const expected = { shipping_address, carrier, tracking_number, tracking_url };
  return call({
    path: withId(paths.admin.order, id),
    method: "PATCH",
    body: { ...changes, expected },
    answer: orderPatchAnswerSchema,
  });
}

/** @param key idempotency key, reused when the same note is retried */
export function addNote(id: string, body: NoteRequest, key: string) {
  return post(withId(paths.admin.notes, id), body, noteAnswerSchema, key);
}

export function eraseOrder(id: string) {
  return post(withId(paths.admin.erasure, id), {}, erasureAnswerSchema);
}

/** @param key idempotency key, reused when the same return is retried */
export function openReturn(orderId: string, body: NewReturn, key: string) {
  return post(withId(paths.admin.orderReturns, orderId), body, returnAnswerSchema, key);
}

export function moveReturn(orderId: string, returnId: string, body: ReturnMove) {
  return post(withId(paths.admin.returnMoves, orderId, returnId), body, returnAnswerSchema);
}
