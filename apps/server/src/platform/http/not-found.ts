import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problems.ts";

/** The methods of the routes that match a URL. */
export type MethodsOf = (url: string) => string[];

/**
 * Records all routes that are added from now on.
 *
 * @param isPage whether the catch-all route (`/*`) serves a URL
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

/** `:id` matches one segment, `*` anything. */
function patternOf(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : part.replaceAll(/[^\w/]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** Answers 405 with `Allow` if the path has other methods, otherwise 404. */
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
