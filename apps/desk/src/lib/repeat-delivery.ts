import { deliverySchema, idempotencyHeader, paths, withId } from "@keepsats/protocol";
import { useState } from "react";
import { call } from "./api.ts";

/** Retries a delivery immediately. @param key idempotency key, reused when a response is lost */
export function repeatDelivery(id: string, key: string) {
  return call({
    path: withId(paths.merchant.deliveryRepeat, id),
    method: "POST",
    headers: { [idempotencyHeader]: key },
    body: {},
    answer: deliverySchema,
  });
}

export function useIdempotencyKey(): { readonly key: string; readonly renew: () => void } {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return { key, renew: () => setKey(crypto.randomUUID()) };
}
