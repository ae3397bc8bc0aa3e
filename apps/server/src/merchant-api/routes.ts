import type { FastifyInstance } from "fastify";
import { bearerOnly, type TokenGuard } from "../http/bearer.ts";
import { refuseUnknownQueries } from "../http/queries.ts";
import { type MerchantCatalogue, merchantItemRoutes } from "./item-routes.ts";
import type { MerchantOrders } from "./merchant-orders.ts";
import { merchantOrderRoutes } from "./order-routes.ts";

/** The merchant API: every route of this scope needs the merchant's token. */
export function merchantRoutes(
  app: FastifyInstance,
  options: { token: string; guard: TokenGuard; orders: MerchantOrders; catalogue: MerchantCatalogue },
): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
  });
  app.addHook("onRequest", bearerOnly(options.token, options.guard));
  refuseUnknownQueries(app);
  merchantOrderRoutes(app, options.orders);
  merchantItemRoutes(app, options.catalogue);
}
