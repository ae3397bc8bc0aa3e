import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { sendProblem } from "../http/problems.ts";

/** The parameters of a route about one webhook. */
export const webhookParams = z.object({ id: z.string().check(z.maxLength(200)) });
export const UNKNOWN_WEBHOOK = "No webhook has this id.";

export function sendUnknownWebhook(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: UNKNOWN_WEBHOOK });
}
