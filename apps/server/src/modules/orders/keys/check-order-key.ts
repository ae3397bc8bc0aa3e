import { orderKeyHeader } from "@keepsats/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendRefusal } from "../../../platform/http/problems.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type Limit, networkOf } from "../../../platform/rate-limit/limit.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { OrderKeys } from "./order-keys.ts";

/**
 * The result of checking an order key. `too-many`: the key is wrong, and the address has sent too
 * many wrong keys; `retryAfter` is in seconds.
 */
export type CheckKeyOutcome =
  | { readonly kind: "right" }
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfter: number };

export type CheckKey = ReturnType<typeof createCheckKey>;

/**
 * Checks the key that a request presents for an order. It makes no query, so a wrong key takes as
 * long for an order that exists as for one that does not. All routes and sockets share one
 * instance, so that they count wrong keys together.
 *
 * @param limit the rate limit of wrong keys per address; the right key is always accepted
 */
export function createCheckKey({
  isKeyOf,
  limit,
  onRefused,
}: Pick<OrderKeys, "isKeyOf"> & Pick<Platform, "onRefused"> & { readonly limit: Limit }) {
  return async (orderId: string, key: string, address: string): Promise<CheckKeyOutcome> => {
    if (isKeyOf(orderId, key)) return { kind: "right" };
    onRefused("wrong-key", networkOf(address));
    const retryAfter = await limit(address);
    return retryAfter === undefined ? { kind: "wrong" } : { kind: "too-many", retryAfter };
  };
}

/** Returns a hook for routes with an order's id in their path, see {@link keyRefusal}. */
export function requireOrderKey(checkKey: CheckKey) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header("Cache-Control", "no-store");
    const id = String(Reflect.get(Object(request.params), "id")).toLowerCase();
    const refusal = await keyRefusal(checkKey, id, reply);
    return refusal && sendRefusal(reply, refusal);
  };
}

/**
 * Refuses a request that does not present the order's key: with 401 if it has no header `Order-Key`,
 * and with 404 if the key is wrong, as for an unknown order.
 */
export async function keyRefusal(
  checkKey: CheckKey,
  orderId: string,
  reply: FastifyReply,
): Promise<Refusal | undefined> {
  const key = reply.request.headers[orderKeyHeader];
  if (typeof key !== "string" || key === "") {
    reply.header("WWW-Authenticate", "Order-Key");
    return new Refusal("unauthorized", { detail: "The header Order-Key is missing." });
  }
  const outcome = await checkKey(orderId, key, reply.request.ip);
  switch (outcome.kind) {
    case "right":
      return undefined;
    case "wrong":
      return noOrderForKey;
    case "too-many":
      reply.header("Retry-After", outcome.retryAfter);
      return new Refusal("too_many");
  }
}

/** The same answer for a wrong key and for an unknown order. */
export const noOrderForKey = new Refusal("not_found", {
  detail: "No order has this id and this key.",
});
