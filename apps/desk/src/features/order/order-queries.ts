import {
  deliverySchema,
  erasureAnswerSchema,
  idempotencyHeader,
  noteAnswerSchema,
  type OrderPatch,
  orderPatchAnswerSchema,
  paths,
  type RefundRequest,
  refundAnswerSchema,
  refundRequestSchema,
  type TransitionRequest,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { call } from "../../lib/api.ts";

export function moveOrder(id: string, body: TransitionRequest) {
  const path = withId(paths.merchant.transitions, id);
  return call({ path, method: "POST", body, answer: transitionAnswerSchema });
}

export function noteOrder(id: string, text: string) {
  const path = withId(paths.merchant.notes, id);
  return call({ path, method: "POST", body: { text }, answer: noteAnswerSchema });
}

export function correctOrder(id: string, body: OrderPatch) {
  const path = withId(paths.merchant.order, id);
  return call({ path, method: "PATCH", body, answer: orderPatchAnswerSchema });
}

/** @param key the same for each attempt to record the same refund, so that it is recorded once */
export function recordRefund(id: string, refund: RefundRequest, key: string) {
  return call({
    path: withId(paths.merchant.refunds, id),
    method: "POST",
    headers: { [idempotencyHeader]: key },
    body: z.encode(refundRequestSchema, refund),
    answer: refundAnswerSchema,
  });
}

export function repeatDelivery(id: string) {
  return call({
    path: withId(paths.merchant.deliveryRepeat, id),
    method: "POST",
    body: {},
    answer: deliverySchema,
  });
}

export function eraseOrder(id: string) {
  return call({
    path: withId(paths.merchant.erasure, id),
    method: "POST",
    body: {},
    answer: erasureAnswerSchema,
  });
}
