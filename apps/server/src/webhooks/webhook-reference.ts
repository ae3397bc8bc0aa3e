import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { sendProblem } from "../http/problems.ts";
import { storedId } from "../http/stored-id.ts";

/** The parameters of a route about one webhook. */
export const webhookParams = z.object({ id: storedId });
export const UNKNOWN_WEBHOOK = "No webhook has this id.";

export function sendUnknownWebhook(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: UNKNOWN_WEBHOOK });
}
