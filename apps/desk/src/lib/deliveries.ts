import { call } from "@keepsats/client";
import { deliverySchema, type MerchantOrder, paths, withId } from "@keepsats/protocol";
import { useState } from "react";

const SOON = 3_000;
const LATE = 60_000;

/**
 * When an order with deliveries that wait is read again, in milliseconds: nobody tells the desk
 * that a letter has arrived. Soon if an attempt is near or under way, whose end is not known.
 *
 * @param now in milliseconds since 1970
 * @returns `false` if no delivery waits
 */
export function rereadAfter(deliveries: MerchantOrder["deliveries"], now: number): number | false {
  const waiting = deliveries.filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return false;
  return waiting.some(({ next_at }) => next_at === null || next_at - now < LATE) ? SOON : LATE;
}

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
