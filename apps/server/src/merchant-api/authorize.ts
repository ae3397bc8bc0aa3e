import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Queries } from "../db/database.ts";
import { bearerOf, bearerOnly, type TokenGuard } from "../http/bearer.ts";
import { sendProblem } from "../http/problems.ts";
import { merchantOf } from "./actor-of.ts";
import { checkAgain } from "./let-in.ts";
import type { Merchant, MerchantTokens } from "./tokens.ts";

/** Finds who makes a request. @returns `undefined` if it has refused the request with an answer of its own */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Merchant | undefined>;

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
 * Lets in only those whom `authenticate` knows, with the role that the operation of their route requires. A route that does
 * not declare one cannot be added to the scope. Whoever changes something is asked for again when the body is there.
 */
export function authorize(scope: FastifyInstance, authenticate: Authenticate, db: Queries): void {
  scope.addHook("onRoute", ({ url, config }) => {
    if (config?.operation?.auth === undefined) throw new Error(`${url} does not declare who may use it`);
  });
  scope.decorateRequest("merchant", undefined);
  scope.addHook("onRequest", async (request, reply) => {
    const merchant = await authenticate(request, reply);
    if (merchant === undefined) return reply;
    request.merchant = merchant;
  });
  scope.addHook("onRequest", async (request, reply) => {
    const isForOwners = request.routeOptions.config.operation?.auth === "owner";
    if (isForOwners && merchantOf(request).role !== "owner") return sendProblem(reply, "owner_required");
  });
  // The body may have come long after the headers, for which the request was let in.
  scope.addHook("preHandler", async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") await checkAgain(db, request);
  });
}
