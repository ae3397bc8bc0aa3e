import type { FastifyInstance } from "fastify";
import type { Metrics } from "../observability/metrics.ts";
import { bearerIs, bearerOnly, type TokenGuard } from "./bearer.ts";
import { sendProblem } from "./problems.ts";

/** Measures every request of a scope, and logs its route and duration at the level `debug`. */
export function timeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const labels = { route, method: request.method, status: String(reply.statusCode) };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
    request.log.debug({ ...labels, ms: Math.round(reply.elapsedTime) }, "answered");
    done();
  });
}

/** `/metrics`, behind `METRICS_TOKEN`; without one it is not found. */
export function metricsRoute(
  app: FastifyInstance,
  { metrics, token, guard }: { metrics: Metrics; token: string | undefined; guard: TokenGuard },
): void {
  if (token === undefined) {
    app.get("/metrics", (_request, reply) => sendProblem(reply, "not_found"));
    return;
  }
  app.get(
    "/metrics",
    { onRequest: bearerOnly(({ headers }) => bearerIs(headers.authorization, token), guard) },
    async (_request, reply) =>
      reply
        .type(metrics.registry.contentType)
        .header("Cache-Control", "no-store")
        .send(await metrics.registry.metrics()),
  );
}
