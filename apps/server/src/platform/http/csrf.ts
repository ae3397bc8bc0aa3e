import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problems.ts";

/** Whether the browser reports that a page of this origin sends the request. */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers["sec-fetch-site"];
  return headers.origin === ownOrigin && (site === undefined || site === "same-origin");
}

/**
 * CSRF protection of routes without a session: refuses pages of other origins (403) and bodies that
 * are not JSON (415), which a page may send to another origin without a preflight. It must run
 * before the rate limit, so that a hostile page cannot use up the limit of its visitors. Requests
 * without `Origin`, which do not come from a page, pass.
 */
export function csrfProtection(ownOrigin: string) {
  return ({ headers }: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { origin, "content-type": type } = headers;
    if (origin !== undefined && !isSameOrigin(headers, ownOrigin)) sendProblem(reply, "forbidden");
    else if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type))
      sendProblem(reply, "wrong_type");
    else done();
  };
}

/**
 * CSRF protection of routes with a session cookie: refuses changes that do not come from a page of
 * this origin (403). `SameSite=Strict` alone allows other ports and subdomains of the site.
 */
export function sessionCsrfProtection(ownOrigin: string) {
  return async ({ method, headers }: FastifyRequest, reply: FastifyReply) => {
    if (method === "GET" || method === "HEAD") return;
    if (!isSameOrigin(headers, ownOrigin)) return sendProblem(reply, "wrong_origin");
  };
}
