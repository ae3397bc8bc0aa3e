import type { FastifyInstance } from "fastify";
import type { Platform } from "../../platform/platform.ts";
import { deliveryRoutes } from "./delivery-routes.ts";

/** Failed deliveries of all channels, and retries. */
export function createDeliveries({ database, outbox }: Platform) {
  return {
    adminRoutes: (app: FastifyInstance) =>
      deliveryRoutes(app, { database, wakeOutbox: outbox.wake }),
  };
}
