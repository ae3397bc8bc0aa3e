import { hasPermission } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Queries } from "../db/database.ts";
import { bearerOf, bearerOnly, type TokenGuard } from "../http/bearer.ts";
import { sendProblem } from "../http/problems.ts";
import { merchantOf } from "./actor-of.ts";
import { checkAgain } from "./let-in.ts";
import type { Merchant, MerchantTokens } from "./tokens.ts";

/**
 * Finds who makes a request. @returns `undefined` if it has refused the request with an answer of
 * its own
 */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Merchant | undefined>;

/** Finds whose token a request has: the door of programs and of the command line. */
export function byToken({
  tokens,
  guard,
}: {
  readonly tokens: Pick<MerchantTokens, "holderOf">;
  readonly guard: TokenGuard;
}): Authenticate {
  return async (request, reply) => {
    let holder: Merchant | undefined;
    const hook = bearerOnly(async ({ headers }) => {
      const token = bearerOf(headers.authorization);
      holder = token === "" ? undefined : await tokens.holderOf(token);
      return holder !== undefined;
    }, guard);
    await hook(request, reply);
    return holder;
  };
}

/**
 * Refuses requests that `authenticate` rejects, or whose role lacks the permission of the route's
 * operation. Adding a route without a permission throws. Writes are re-authorized after reading the
 * body.
 */
export function authorize(scope: FastifyInstance, authenticate: Authenticate, db: Queries): void {
  scope.addHook("onRoute", ({ url, config }) => {
    if (config?.operation?.permission === undefined) throw new Error(`${url} names no permission`);
  });
  scope.decorateRequest("merchant", undefined);
  scope.addHook("onRequest", async (request, reply) => {
    const merchant = await authenticate(request, reply);
    if (merchant === undefined) return reply;
    request.merchant = merchant;
  });
  scope.addHook("onRequest", async (request, reply) => {
    const permission = request.routeOptions.config.operation?.permission;
    const { role } = merchantOf(request);
    const isAllowed = permission !== undefined && hasPermission(role, permission);
    if (!isAllowed) return sendProblem(reply, "permission_required");
  });
  // The body may have come long after the headers, for which the request was let in.
  scope.addHook("preHandler", async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") await checkAgain(db, request);
  });
}
