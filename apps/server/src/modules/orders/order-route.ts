import { parseOrderNumber } from "@keepsats/domain";
import { isOrderId } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation, Takes } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { type Endpoint, type Handler, route } from "../../platform/http/route.ts";
import { positionOf } from "./order-number.ts";

/**
 * The parameters of a staff route about one order. Any text is accepted; one that matches no order
 * is answered with 404.
 */
export const orderParams = z.object({
  id: z.string().check(
    z.meta({
      description:
        "The id of an order, an unambiguous prefix of at least 8 characters of it, or the order number, such as K-10023",
      minLength: 1,
      maxLength: 36,
      pattern: "^(?:[Kk]-?)?[0-9A-Fa-f-]*$",
    }),
  ),
});

/** What a staff route about one order takes, with `params` as in {@link orderParams}. */
type OrderTakes = Takes & z.core.$ZodType<{ readonly params: { readonly id: string } }>;

/**
 * Adds a staff route about one order. Its handler gets the whole id of the order. A whole id in the
 * path is passed on without a query, whether or not the order exists.
 */
export function orderRoute<T extends OrderTakes, Answer extends z.core.$ZodType>(
  app: FastifyInstance,
  db: Queries,
  endpoint: Endpoint,
  operation: Operation<T, Answer>,
  handler: (
    input: z.output<T> & { readonly orderId: string },
    reply: FastifyReply,
  ) => ReturnType<Handler<T, Answer>>,
): void {
  route(app, endpoint, operation, async (input, reply) => {
    const orderId = await findOrderId(reply, db, input.params.id);
    return orderId === undefined ? reply : handler({ ...input, orderId }, reply);
  });
}

/** @returns `undefined` if no order or several orders match; then the reply has been sent */
async function findOrderId(
  reply: FastifyReply,
  db: Queries,
  given: string,
): Promise<string | undefined> {
  const whole = given.toLowerCase();
  if (isOrderId(whole)) return whole;
  const match = await matchOrderId(db, given);
  switch (match.kind) {
    case "one":
      return match.id;
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

/** The orders that an id, a prefix of it or a number matches. */
type IdMatch =
  | { readonly kind: "one"; readonly id: string }
  | { readonly kind: "none" }
  | { readonly kind: "many" };

/**
 * Finds an order by its id, by the first 8 or more characters of it, or by its number. Digits alone
 * that could be the beginning of an id are no number.
 */
export async function matchOrderId(db: Queries, given: string): Promise<IdMatch> {
  const text = given.toLowerCase();
  if (!idPrefix.test(text)) return matchOrderNumber(db, parseOrderNumber(text));
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

async function matchOrderNumber(db: Queries, number: number | undefined): Promise<IdMatch> {
  if (number === undefined) return { kind: "none" };
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("position", "=", positionOf(number))
    .executeTakeFirst();
  return row === undefined ? { kind: "none" } : { kind: "one", id: row.id };
}

export function sendUnknownOrder(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: "No order has this id or number." });
}
