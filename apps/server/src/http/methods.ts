import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problems.ts";

/** The methods of the routes that match a URL; empty if none matches. */
export type MethodsOf = (url: string) => string[];

/**
 * Records the routes that are registered from now on.
 *
 * @param isPage whether the catch-all route (`/*`) serves this URL
 */
export function collectMethods(app: FastifyInstance, isPage: (url: string) => boolean): MethodsOf {
  const routes: {
    readonly url: string;
    readonly pattern: RegExp;
    readonly methods: readonly string[];
  }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    routes.push({ url, pattern: patternOf(url), methods: [method].flat() });
  });
  return (url) => {
    const [path = ""] = url.split("?");
    const matching = routes.filter(
      (route) => route.pattern.test(path) && (route.url !== "/*" || isPage(url)),
    );
    return [...new Set(matching.flatMap(({ methods }) => methods))].toSorted();
  };
}

/** The pattern of a route's path: `:id` matches one segment, `*` anything. */
function patternOf(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : part.replaceAll(/[^\w/]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** Answers 405 with `Allow` if the path has other methods, and 404 otherwise. */
export function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  methodsOf: MethodsOf,
): FastifyReply {
  const methods = methodsOf(request.url);
  if (methods.length === 0 || methods.includes(request.method))
    return sendProblem(reply, "not_found");
  return sendProblem(reply.header("Allow", methods.join(", ")), "method_not_allowed");
}
