import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OnRefused } from "../observability/refusals.ts";
import { type Limit, networkOf } from "../rate-limit/limit.ts";
import { sha256 } from "../secrets.ts";
import { sendProblem, sendTooMany } from "./problems.ts";

/** The token of an `Authorization` header; `""` if it has none. */
export function bearerOf(header: string | undefined): string {
  return /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";
}

/** Compares an `Authorization` header with the token in constant time. */
export function bearerIs(header: string | undefined, token: string): boolean {
  return timingSafeEqual(sha256(bearerOf(header)), sha256(token));
}

export interface TokenGuard {
  /** The rate limit of wrong tokens per address. */
  readonly limit: Limit;
  readonly onRefused: OnRefused;
}

/**
 * A hook that refuses requests without a valid token: 401, and 429 for an address over its rate
 * limit of wrong tokens. A valid token is accepted even from such an address.
 *
 * @param accepts whether the request has a valid token
 */
export function bearerOnly(
  accepts: (request: FastifyRequest) => boolean | Promise<boolean>,
  { limit, onRefused }: TokenGuard,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { authorization } = request.headers;
    if (await accepts(request)) return;
    reply.header("Cache-Control", "no-store");
    if (authorization !== undefined) {
      onRefused("wrong-token", networkOf(request.ip));
      const retryAfter = await limit(request.ip);
      if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
    }
    return sendProblem(reply.header("WWW-Authenticate", "Bearer"), "unauthorized");
  };
}
