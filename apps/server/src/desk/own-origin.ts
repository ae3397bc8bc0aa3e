import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "../http/problems.ts";

/**
 * Whether a request comes from a page of the desk itself: its `Origin`, and `Sec-Fetch-Site` where
 * the browser sends it.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, deskUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  return headers.origin === deskUrl && (site === undefined || site === "same-origin");
}

/**
 * Creates a hook that refuses requests that change something and do not come from the desk's own
 * pages (403). It is the second lock besides `SameSite=Strict`, which lets other ports and
 * subdomains of one site pass.
 */
export function ownOriginOnly(deskUrl: string) {
  return async ({ method, headers }: FastifyRequest, reply: FastifyReply) => {
    if (method === "GET" || method === "HEAD") return;
    if (!isOwnOrigin(headers, deskUrl)) return sendProblem(reply, "wrong_origin");
  };
}
