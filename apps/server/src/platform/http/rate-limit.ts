import type { FastifyReply, FastifyRequest } from "fastify";
import type { Limit } from "../rate-limit/limit.ts";
import { sendTooMany } from "./problems.ts";

/** A hook that answers 429 to an address over its limit. */
export function rateLimit(limit: Limit) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const retryAfter = await limit(request.ip);
    if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
  };
}
