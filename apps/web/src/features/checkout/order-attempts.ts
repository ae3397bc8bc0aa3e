import type { Basket } from "@keepsats/domain";
import { type Draft, withBilling } from "./draft.ts";

/** One try to place an order: the JSON body and its idempotency key. */
export interface OrderAttempt {
  readonly body: string;
  readonly key: string;
}

/**
 * What to send for an order. The same payload keeps the key of the last try, however often it is sent, so a try whose answer
 * was lost or that the shopper took back is answered with the order that it made. Another payload gets a new key.
 *
 * @param last the last try whose order is not known to be placed
 */
export function attemptFor(
  { draft, basket }: { readonly draft: Draft; readonly basket: Basket },
  last: OrderAttempt | undefined,
  newKey: () => string,
): OrderAttempt {
  const { sameBilling: _, ...form } = withBilling(draft);
  const items = basket.map(({ id, quantity }) => ({ item_id: id, quantity }));
  const body = JSON.stringify({ items, ...form });
  return last?.body === body ? last : { body, key: newKey() };
}
