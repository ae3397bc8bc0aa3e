import { isOrderId } from "@keepsats/protocol";
import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import { sendProblem } from "../http/problems.ts";
import { resolveOrderId } from "../orders/index.ts";

/** The parameters of a route that is about one order. Any text is taken: one that names no order is answered 404. */
export const orderParams = z.object({
  id: z.string().check(
    z.meta({
      description: "The id of an order, or its beginning where no other order's is the same",
      minLength: 8,
      maxLength: 36,
      pattern: "^[0-9A-Fa-f-]*$",
    }),
  ),
});

/**
 * The whole id of the order that is meant; one that is whole already is not looked up.
 *
 * @returns `undefined` where there is no such order, or several: then the reply has been sent
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
      sendProblem(reply, "ambiguous_id", { detail: "Several orders begin like this; give more of the id." });
      return undefined;
  }
}

export function sendUnknownOrder(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: "No order has this id." });
}
