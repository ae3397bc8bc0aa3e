import type { FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problems.ts";

/**
 * A hook for what pages may send: refuses pages of other origins (403) and bodies that are not JSON (415), the only
 * ones that a page may send to another origin without asking. It belongs before the rate limit: a hostile page must not
 * use up what its visitor may do. Programs that are no browser name no origin, and pass.
 *
 * @param publicUrl the shop's own origin
 */
export function ownPageOnly(publicUrl: string) {
  return async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    if (headers.origin !== undefined && headers.origin !== publicUrl) return sendProblem(reply, "forbidden");
    const type = headers["content-type"];
    if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type))
      return sendProblem(reply, "wrong_type");
  };
}
