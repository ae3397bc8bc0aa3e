import type { FastifyInstance } from "fastify";
import { deliveryRoutes } from "./delivery-routes.ts";
import { editRoutes } from "./edit-routes.ts";

/** The routes about webhooks, in the scope of the merchant API. */
export function webhookRoutes(
  app: FastifyInstance,
  options: Parameters<typeof editRoutes>[1] & Parameters<typeof deliveryRoutes>[1],
): void {
  editRoutes(app, options);
  deliveryRoutes(app, options);
}
