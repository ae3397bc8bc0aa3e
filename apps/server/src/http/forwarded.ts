import type { FastifyInstance } from "fastify";

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
