import { deliverySchema, idempotencyHeader, paths, withId } from "@keepsats/protocol";
import { useState } from "react";
import { call } from "./api.ts";

/** Sends a delivery again, at once. @param key the same for each attempt, so that a lost answer sends nothing twice */
export function repeatDelivery(id: string, key: string) {
  return call({
    path: withId(paths.merchant.deliveryRepeat, id),
    method: "POST",
    headers: { [idempotencyHeader]: key },
    body: {},
    answer: deliverySchema,
  });
}

/** An idempotency key that stays the same until `renew` is called. */
export function useIdempotencyKey(): { readonly key: string; readonly renew: () => void } {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return { key, renew: () => setKey(crypto.randomUUID()) };
}
