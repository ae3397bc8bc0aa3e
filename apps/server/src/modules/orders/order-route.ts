import { parseOrderNumber } from "@keepsats/domain";
import { isOrderId } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation, Takes } from "../../platform/http/operation.ts";
import { type Endpoint, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
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
 * path is passed on without a query, whether or not the order exists; the handler returns
 * `undefined` if it does not.
 */
export function orderRoute<T extends OrderTakes, Answer extends z.core.$ZodType>(
  app: FastifyInstance,
  db: Queries,
  endpoint: Endpoint,
  operation: Operation<T, Answer>,
  handler: (
    input: z.output<T> & { readonly orderId: string },
    reply: FastifyReply,
  ) => Promise<z.output<Answer> | Refusal | undefined>,
): void {
  route(app, endpoint, operation, async (input, reply) => {
    const whole = input.params.id.toLowerCase();
    const orderId = isOrderId(whole) ? whole : await matchOrderId(db, whole);
    if (orderId instanceof Refusal) return orderId;
    return (await handler({ ...input, orderId }, reply)) ?? unknownOrder;
  });
}

const unknownOrder = new Refusal("not_found", {
  detail: "No order has this id or number.",
});
const ambiguousId = new Refusal("ambiguous_id", {
  detail: "Several orders match this prefix. Give more characters of the id.",
});

const idPrefix = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/**
 * Finds an order by its id, by the first 8 or more characters of it, or by its number. Digits alone
 * that could be the beginning of an id are no number.
 */
export async function matchOrderId(db: Queries, given: string): Promise<string | Refusal> {
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
  if (first === undefined) return unknownOrder;
  return second === undefined ? first.id : ambiguousId;
}

async function matchOrderNumber(
  db: Queries,
  number: number | undefined,
): Promise<string | Refusal> {
  if (number === undefined) return unknownOrder;
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("position", "=", positionOf(number))
    .executeTakeFirst();
  return row?.id ?? unknownOrder;
}
