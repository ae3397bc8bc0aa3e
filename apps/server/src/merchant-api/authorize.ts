import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bearerOf, bearerOnly, type TokenGuard } from "../http/bearer.ts";
import { sendProblem } from "../http/problems.ts";
import { merchantOf } from "./actor-of.ts";
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
 * not declare one cannot be added to the scope.
 */
export function authorize(scope: FastifyInstance, authenticate: Authenticate): void {
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
}
