import type { MerchantOrder } from "@keepsats/protocol";

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
