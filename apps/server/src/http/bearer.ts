import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Limit, network } from "../limits/limit.ts";
import { sendProblem } from "./problems.ts";
import type { OnRefused } from "./refusal.ts";

/** Compares an `Authorization` header with the one right token, in a time that tells nothing of it. */
export function bearerIs(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** What the guards of tokens share. */
export interface TokenGuard {
  /** How many wrong tokens an address may send. */
  readonly limit: Limit;
  readonly onRefused: OnRefused;
}

/**
 * A hook that lets nobody pass without the right token: 401, and 429 for an address that has sent too many wrong ones.
 * The right token passes however many others have failed from its address.
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
