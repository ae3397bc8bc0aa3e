import type { Basket } from "@keepsats/domain";
import type { Draft } from "./draft.ts";
import { withBilling } from "./draft.ts";

/** One try to place an order: the JSON body and its idempotency key. */
export interface OrderAttempt {
  readonly body: string;
  readonly key: string;
}

/**
 * Remembers the last try to place an order. The same payload keeps its key, however often it is sent, so a try whose
 * answer was lost or that the shopper took back is answered with the order that it made. Another payload gets a new key.
 */
export interface OrderAttempts {
  attemptFor(draft: Draft, basket: Basket): OrderAttempt;
  /** The order is placed: the next one is another, even with the same payload. */
  forget(): void;
}

export function createOrderAttempts(newKey: () => string): OrderAttempts {
  let last: OrderAttempt | undefined;
  return {
    attemptFor(draft, basket) {
      const { sameBilling: _, ...form } = withBilling(draft);
      const items = basket.map(({ id, quantity }) => ({ item_id: id, quantity }));
      const body = JSON.stringify({ items, ...form });
      if (last?.body !== body) last = { body, key: newKey() };
      return last;
    },
    forget() {
      last = undefined;
    },
  };
}
