import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Limit, network } from "../limits/limit.ts";
import { sendProblem } from "./problems.ts";
import type { OnRefused } from "./refusal.ts";

/** Compares an `Authorization` header with the token in constant time. */
export function bearerIs(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The options of a token guard. */
export interface TokenGuard {
  /** The rate limit of wrong tokens per address. */
  readonly limit: Limit;
  readonly onRefused: OnRefused;
}

/**
 * Creates a hook that refuses requests without the right token: 401, and 429 for an address over its rate limit of
 * wrong tokens. The right token is always accepted, even from an address over its limit.
 */
export function bearerOnly(token: string, { limit, onRefused }: TokenGuard) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { authorization } = request.headers;
    if (bearerIs(authorization, token)) return;
    reply.header("Cache-Control", "no-store");
    if (authorization !== undefined) {
      onRefused("wrong-token", network(request.ip));
      const retryAfter = await limit(request.ip);
      if (retryAfter !== undefined) return sendProblem(reply.header("Retry-After", retryAfter), "too_many");
    }
    return sendProblem(reply.header("WWW-Authenticate", "Bearer"), "unauthorized");
  };
}
