import { call } from "@keepsats/client";
import { deliverySchema, paths, withId } from "@keepsats/protocol";
import { useState } from "react";

/** Retries a delivery immediately. @param key idempotency key, reused when a response is lost */
export function repeatDelivery(id: string, key: string) {
  return call({
    path: withId(paths.merchant.deliveryRepeat, id),
    method: "POST",
    idempotencyKey: key,
    body: {},
    answer: deliverySchema,
  });
}

export function useIdempotencyKey(): { readonly key: string; readonly renew: () => void } {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return { key, renew: () => setKey(crypto.randomUUID()) };
}
