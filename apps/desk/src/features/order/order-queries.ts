import { call } from "@keepsats/client";
import {
  erasureAnswerSchema,
  type OrderPatch,
  orderPatchAnswerSchema,
  paths,
  type TransitionRequest,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";

export function moveOrder(id: string, body: TransitionRequest) {
  const path = withId(paths.merchant.transitions, id);
  return call({ path, method: "POST", body, answer: transitionAnswerSchema });
}

export function correctOrder(id: string, body: OrderPatch) {
  const path = withId(paths.merchant.order, id);
  return call({ path, method: "PATCH", body, answer: orderPatchAnswerSchema });
}

export function eraseOrder(id: string) {
  return call({
    path: withId(paths.merchant.erasure, id),
    method: "POST",
    body: {},
    answer: erasureAnswerSchema,
  });
}
