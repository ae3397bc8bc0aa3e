import { orderKeyHeader } from "@keepsats/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendProblem, sendTooMany } from "../../platform/http/problems.ts";
import type { OnRefused } from "../../platform/observability/refusals.ts";
import { type Limit, networkOf } from "../../platform/rate-limit/limit.ts";

/**
 * The result of checking an order key. `too-many`: the key is wrong, and the address has sent too
 * many wrong keys; `retryAfter` is in seconds.
 */
export type CheckKeyOutcome =
  | { readonly kind: "right" }
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfter: number };

/**
 * Checks the key that a request presents for an order. It makes no query, so a wrong key takes as
 * long for an order that exists as for one that does not.
 */
export type CheckKey = (orderId: string, key: string, address: string) => Promise<CheckKeyOutcome>;

interface Options {
  readonly isKeyOf: (orderId: string, key: string) => boolean;
  /** The rate limit of wrong keys per address. The right key is always accepted. */
  readonly limit: Limit;
  readonly onRefused: OnRefused;
}

/** All routes and sockets share one instance, so that they count wrong keys together. */
export function createCheckKey({ isKeyOf, limit, onRefused }: Options): CheckKey {
  return async (orderId, key, address) => {
    if (isKeyOf(orderId, key)) return { kind: "right" };
    onRefused("wrong-key", networkOf(address));
    const retryAfter = await limit(address);
    return retryAfter === undefined ? { kind: "wrong" } : { kind: "too-many", retryAfter };
  };
}

/** Returns a hook for routes with an order's id in their path, see {@link presentsKey}. */
export function requireOrderKey(checkKey: CheckKey) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header("Cache-Control", "no-store");
    const id = String(Reflect.get(Object(request.params), "id")).toLowerCase();
    return (await presentsKey(checkKey, id, reply)) ? undefined : reply;
  };
}

/**
 * Returns whether a request presents the order's key, and otherwise sends the response: 401 without
 * the header `Order-Key`, and 404 with a wrong key, as for an unknown order. It does not resolve to
 * the reply, because awaiting a reply gives `undefined`.
 */
export async function presentsKey(
  checkKey: CheckKey,
  orderId: string,
  reply: FastifyReply,
): Promise<boolean> {
  const key = reply.request.headers[orderKeyHeader];
  if (typeof key !== "string" || key === "") {
    const detail = "The header Order-Key is missing.";
    sendProblem(reply.header("WWW-Authenticate", "Order-Key"), "unauthorized", { detail });
    return false;
  }
  const outcome = await checkKey(orderId, key, reply.request.ip);
  switch (outcome.kind) {
    case "right":
      return true;
    case "wrong":
      sendNoOrderForKey(reply);
      return false;
    case "too-many":
      sendTooMany(reply, outcome.retryAfter);
      return false;
  }
}

/** The same answer for a wrong key and for an unknown order. */
export function sendNoOrderForKey(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: "No order has this id and this key." });
}
