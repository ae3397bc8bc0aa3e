import type { FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problems.ts";

/**
 * Creates a hook against cross-site requests: it refuses pages of other origins (403) and bodies
 * that are not JSON (415), which a page may send to another origin without a preflight. It must run
 * before the rate limit, so that a hostile page cannot use up the limit of its visitors. Requests
 * without `Origin`, which do not come from a page, pass.
 *
 * @param publicUrl the shop's own origin
 */
export function ownPageOnly(publicUrl: string) {
  return ({ headers }: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { origin, "content-type": type } = headers;
    if (origin !== undefined && origin !== publicUrl) sendProblem(reply, "forbidden");
    else if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type))
      sendProblem(reply, "wrong_type");
    else done();
  };
}
