import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problems.ts";

/** The methods that can be used on the path of a URL; none where there is nothing. */
export type MethodsOf = (url: string) => string[];

/**
 * Notes the routes that are registered from now on.
 *
 * @param isPage whether the route for every path (`/*`) stands for this URL
 */
export function collectMethods(app: FastifyInstance, isPage: (url: string) => boolean): MethodsOf {
  const routes: { readonly url: string; readonly pattern: RegExp; readonly methods: readonly string[] }[] =
    [];
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

/** The paths of a route: `:id` stands for one part, `*` for anything. */
function patternOf(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : part.replaceAll(/[^\w/]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** Answers 405 with `Allow` where another method can be used, and 404 otherwise. */
export function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  methodsOf: MethodsOf,
): FastifyReply {
  const methods = methodsOf(request.url);
  if (methods.length === 0 || methods.includes(request.method)) return sendProblem(reply, "not_found");
  return sendProblem(reply.header("Allow", methods.join(", ")), "method_not_allowed");
}
