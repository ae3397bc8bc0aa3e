import type { FastifyInstance } from "fastify";

/** Warns, once, when requests come through a proxy that the server has not been told to trust. */
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
