import type { FastifyInstance } from "fastify";
import { bearerIs } from "../http/bearer.ts";
import { sendProblem } from "../http/problems.ts";
import { refuseUnknownQueries } from "../http/queries.ts";
import { type MerchantCatalogue, merchantItemRoutes } from "./item-routes.ts";
import type { MerchantOrders } from "./merchant-orders.ts";
import { merchantOrderRoutes } from "./order-routes.ts";

/** The merchant API: every route of this scope needs the merchant's token. */
export function merchantRoutes(
  app: FastifyInstance,
  options: { token: string; orders: MerchantOrders; catalogue: MerchantCatalogue },
): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("Cache-Control", "no-store");
    if (bearerIs(request.headers.authorization, options.token)) return;
    return sendProblem(reply.header("WWW-Authenticate", "Bearer"), "unauthorized");
  });
  refuseUnknownQueries(app);
  merchantOrderRoutes(app, options.orders);
  merchantItemRoutes(app, options.catalogue);
}
