import { isOrderId } from "@keepsats/protocol";
import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import { sendProblem } from "../http/problems.ts";
import { resolveOrderId } from "../orders/index.ts";

/**
 * The parameters of a route about one order. Any text is accepted; one that matches no order is
 * answered with 404.
 */
export const orderParams = z.object({
  id: z.string().check(
    z.meta({
      description: "The id of an order, or a beginning of it that no other order's id has",
      minLength: 8,
      maxLength: 36,
      pattern: "^[0-9A-Fa-f-]*$",
    }),
  ),
});

/**
 * Resolves an id or a beginning of an id to the whole id. A whole id is returned without a query.
 *
 * @returns `undefined` if no order or several orders match; then the reply has been sent
 */
export async function resolveOrder(
  reply: FastifyReply,
  db: Queries,
  given: string,
): Promise<string | undefined> {
  const whole = given.toLowerCase();
  if (isOrderId(whole)) return whole;
  const resolved = await resolveOrderId(db, given);
  switch (resolved.kind) {
    case "one":
      return resolved.id;
    case "none":
      sendUnknownOrder(reply);
      return undefined;
    case "many":
      sendProblem(reply, "ambiguous_id", {
        detail: "Several orders match this beginning of an id; give more of it.",
      });
      return undefined;
  }
}

export function sendUnknownOrder(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: "No order has this id." });
}
