import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problems.ts";

/**
 * Refuses unknown query parameters on all routes of a scope, with 422. Otherwise a misspelt one,
 * such as `?state=` for `?status=`, would be ignored and everything would be listed. The operation
 * of a route declares the known ones.
 */
export function refuseUnknownQueries(scope: FastifyInstance): void {
  scope.addHook("onRequest", (request, reply, done) => {
    if (!request.url.includes("?")) return done();
    const known = request.routeOptions.config.operation?.takes.shape.query?.shape ?? {};
    const unknown = Object.keys(Object(request.query)).filter(
      (name) => !Object.hasOwn(known, name),
    );
    if (unknown.length === 0) return done();
    const errors = unknown.map((path) => ({ path, message: "is not a parameter of this request" }));
    sendProblem(reply, "invalid", { errors });
  });
}
