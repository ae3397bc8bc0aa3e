import { type AdminOrder, deliverySchema, paths, withId } from "@keepsats/protocol";
import { post } from "./api.ts";

/** In milliseconds. */
const SOON = 3_000;
const LATER = 60_000;

/**
 * The refetch interval of deliveries in milliseconds: the server sends no live message when a
 * delivery ends. Short if an attempt is due or in progress.
 *
 * @param now in epoch milliseconds
 * @returns `false` if no delivery is waiting
 */
export function deliveryRefetchInterval(
  deliveries: AdminOrder["deliveries"],
  now: number,
): number | false {
  const waiting = deliveries.filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return false;
  return waiting.some(({ next_at }) => next_at === null || next_at - now < LATER) ? SOON : LATER;
}

/** The keys of the queries that show deliveries. */
export const deliveriesKeys = [["deliveries"], ["order"]];

/** Sends a delivery again. `key`: idempotency key, reused if the answer is lost. */
export function retryDelivery(id: string, key: string) {
  return post(withId(paths.admin.deliveryRetry, id), {}, deliverySchema, key);
}
