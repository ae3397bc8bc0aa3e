import { type AdminOrder, deliverySchema, paths, withId } from "@keepsats/protocol";
import { post } from "./api.ts";

/**
 * The refetch interval of deliveries in milliseconds: the server sends no live message when a
 * delivery ends.
 *
 * @returns `false` if no delivery is waiting
 */
export function deliveryRefetchInterval(deliveries: AdminOrder["deliveries"]): number | false {
  return deliveries.some(({ state }) => state === "waiting") ? 3_000 : false;
}

/** Sends a delivery again. `key`: idempotency key, reused if the answer is lost. */
export function retryDelivery(id: string, key: string) {
  return post(withId(paths.admin.deliveryRetry, id), {}, deliverySchema, key);
}
