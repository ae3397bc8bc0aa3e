import { isOrderId } from "@keepsats/protocol";
import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import { sendProblem } from "../../platform/http/problems.ts";

/**
 * The parameters of a staff route about one order. Any text is accepted; one that matches no order
 * is answered with 404.
 */
export const orderParams = z.object({
  id: z.string().check(
    z.meta({
      description: "The id of an order, or an unambiguous prefix of at least 8 characters",
      minLength: 8,
      maxLength: 36,
      pattern: "^[0-9A-Fa-f-]*$",
    }),
  ),
});

/**
 * Resolves an id or a prefix of an id to the whole id. A whole id is returned without a query,
 * whether or not the order exists.
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
        detail: "Several orders match this prefix. Give more characters of the id.",
      });
      return undefined;
  }
}

const idPrefix = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/** The orders that an id or a prefix of it matches. */
type ResolvedId =
  | { readonly kind: "one"; readonly id: string }
  | { readonly kind: "none" }
  | { readonly kind: "many" };

/** Finds an order by its id or by the first 8 or more characters of it. */
export async function resolveOrderId(db: Queries, given: string): Promise<ResolvedId> {
  const text = given.toLowerCase();
  if (!idPrefix.test(text)) return { kind: "none" };
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("id", ">=", text)
    .where("id", "<=", isOrderId(text) ? text : `${text}~`)
    .limit(2)
    .execute();
  const [first, second] = rows;
  if (first === undefined) return { kind: "none" };
  return second === undefined ? { kind: "one", id: first.id } : { kind: "many" };
}

export function sendUnknownOrder(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: "No order has this id." });
}
