import { call } from "@keepsats/client";
import {
  erasureAnswerSchema,
  type MerchantOrder,
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

/**
 * Corrects fields of an order if they are still as they were seen.
 *
 * @throws {ApiError} `order_changed` if they are not
 */
export async function correctOrder(seen: MerchantOrder, changes: OrderPatch) {
  const { id, shipping_address, carrier, tracking_number, tracking_url } = seen;
  const path = withId(paths.merchant.order, id);
  const expected = { shipping_address, carrier, tracking_number, tracking_url };
  await call({
    path,
    method: "PATCH",
    body: { ...changes, expected },
    answer: orderPatchAnswerSchema,
  });
  return seen;
}

export function eraseOrder(id: string) {
  return call({
    path: withId(paths.merchant.erasure, id),
    method: "POST",
    body: {},
    answer: erasureAnswerSchema,
  });
}
