import type { FastifyInstance } from "fastify";
import { bearerOf, bearerOnly, type TokenGuard } from "../http/bearer.ts";
import { sendProblem } from "../http/problems.ts";
import { merchantOf } from "./actor-of.ts";
import type { MerchantTokens } from "./tokens.ts";

/**
 * Lets in only requests with a token of the role that the operation of their route requires. A route that does not
 * declare one cannot be added to the scope.
 */
export function authorize(
  scope: FastifyInstance,
  { tokens, guard }: { readonly tokens: Pick<MerchantTokens, "holderOf">; readonly guard: TokenGuard },
): void {
  scope.addHook("onRoute", ({ url, config }) => {
    if (config?.operation?.auth === undefined) throw new Error(`${url} does not declare who may use it`);
  });
  scope.decorateRequest("merchant", undefined);
  scope.addHook(
    "onRequest",
    bearerOnly(async (request) => {
      const token = bearerOf(request.headers.authorization);
      const merchant = token === "" ? undefined : await tokens.holderOf(token);
      if (merchant === undefined) return false;
      request.merchant = merchant;
      return true;
    }, guard),
  );
  scope.addHook("onRequest", async (request, reply) => {
    const isForOwners = request.routeOptions.config.operation?.auth === "owner";
    if (isForOwners && merchantOf(request).role !== "owner") return sendProblem(reply, "owner_required");
  });
}
