import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problems.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The schema of the query parameters that a route takes. */
    query?: { readonly shape: object };
  }
}

/**
 * Has every route of a scope answer 422 to query parameters that it does not know. A misspelt one, such as `?state=` for
 * `?status=`, would be passed over otherwise, and everything listed. What a route knows is the schema in its
 * `config.query`; without one it takes none.
 */
export function refuseUnknownQueries(scope: FastifyInstance): void {
  scope.addHook("onRequest", (request, reply, done) => {
    if (!request.url.includes("?")) return done();
    const known = request.routeOptions.config.query?.shape ?? {};
    const unknown = Object.keys(Object(request.query)).filter((name) => !Object.hasOwn(known, name));
    if (unknown.length === 0) return done();
    const errors = unknown.map((path) => ({ path, message: "is no parameter of this request" }));
    sendProblem(reply, "invalid", { errors });
  });
}
