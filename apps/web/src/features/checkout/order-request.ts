import type { Basket } from "@keepsats/domain";
import { type Draft, withBilling } from "./draft.ts";

/** A request to place an order: the JSON body and its idempotency key. */
export interface OrderRequest {
  readonly body: string;
  readonly key: string;
}

/**
 * Builds the request for an order. A body that equals the last one keeps its idempotency key, so the server answers with the
 * order that the last request may have placed already; for example when its answer was lost or the shopper cancelled it.
 * Another body gets a new key.
 *
 * @param last the last request, unless its order is placed
 */
export function orderRequestFor(
  { draft, basket }: { readonly draft: Draft; readonly basket: Basket },
  last: OrderRequest | undefined,
  newKey: () => string,
): OrderRequest {
  const { sameBilling: _, ...form } = withBilling(draft);
  const items = basket.map(({ id, quantity }) => ({ item_id: id, quantity }));
  const body = JSON.stringify({ items, ...form });
  return last?.body === body ? last : { body, key: newKey() };
}
