import { currentUserSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { CurrentUser } from "../payments/index.ts";

/** The `Retry-After` of the 503 answer, in seconds. */
export const RETRY_AFTER_SECONDS = 2;

const operation = {
  operationId: "showAccount",
  summary: "The shop's account at the loan provider",
  tag: "shop",
  takes: noFields,
  answers: { 200: currentUserSchema },
} satisfies Operation;

export function showAccountRoute(app: FastifyInstance, currentUser: CurrentUser): void {
  route(app, { method: "GET", path: paths.me }, operation, async (_taken, reply) => {
    const id = await currentUser();
    reply.header("Cache-Control", "no-store");
    if (id !== undefined) return { id };
    return sendProblem(reply.header("Retry-After", RETRY_AFTER_SECONDS), "unavailable", {
      detail: "The loan provider cannot be reached.",
    });
  });
}
