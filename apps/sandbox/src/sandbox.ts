import Fastify, { type FastifyInstance } from "fastify";
import { apiRoutes } from "./api-routes.ts";
import { createOutageSwitch } from "./outage.ts";
import { popupRoutes } from "./popup-routes.ts";
import type { Settings } from "./settings.ts";
import type { Store } from "./store.ts";

/** A simulated loan provider: the pop-up for the shopper and the API for the shop. */
export async function createSandbox({
  settings,
  store,
  now,
}: {
  settings: Settings;
  store: Store;
  now: () => number;
}): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  const options = { store, outage: createOutageSwitch(now), now, ...settings };
  await app.register(async (scope) => popupRoutes(scope, options));
  await app.register(async (scope) => apiRoutes(scope, options));
  return app;
}
