import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { sendProblem } from "../http/problems.ts";
import type { CurrentUser } from "../payments/index.ts";

/** When a client may ask again after a 503. */
export const RETRY_AFTER_SECONDS = 2;

/** `GET /api/me`. */
export function currentUserRoutes(app: FastifyInstance, { currentUser }: { currentUser: CurrentUser }): void {
  app.get(paths.me, async (_request, reply) => {
    const id = await currentUser();
    reply.header("Cache-Control", "no-store");
    if (id !== undefined) return { id };
    return sendProblem(reply.header("Retry-After", RETRY_AFTER_SECONDS), "unavailable", {
      detail: "The loan provider cannot be reached.",
    });
  });
}
