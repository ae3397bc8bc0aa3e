import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { type Metrics, timeRequests } from "./metrics.ts";

/** Adds the hooks of every route but the list of items to a scope. */
export function observeScope(
  scope: FastifyInstance,
  { config, metrics }: { config: Config; metrics: Metrics },
): void {
  if (config.trustProxy === false) warnOfForwarded(scope);
  timeRequests(scope, metrics);
}

/** Logs one warning when requests come through a proxy that `TRUST_PROXY` does not name. */
export function warnOfForwarded(app: FastifyInstance): void {
  let warned = false;
  app.addHook("onRequest", async (request) => {
    if (warned || request.headers["x-forwarded-for"] === undefined) return;
    warned = true;
    request.log.warn(
      "requests carry X-Forwarded-For, which is ignored: set TRUST_PROXY, or all shoppers behind the proxy share one rate limit",
    );
  });
}
