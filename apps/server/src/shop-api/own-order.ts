import { followedOrderSchema } from "@keepsats/protocol";
import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { findOrder, type Order } from "../orders/index.ts";

/**
 * What the routes of the shopper's own order have in common. They need the order's key, see
 * `http/order-key.ts`.
 */
export const ownOrder = {
  tag: "shop",
  auth: "orderKey",
  answers: { 200: followedOrderSchema },
} as const satisfies Partial<Operation>;

/** The id of an order. In upper case it is the same order. */
export const ownOrderId = z.pipe(
  z.string().check(z.meta({ minLength: 36, maxLength: 36, pattern: "^[0-9A-Fa-f-]*$" })),
  z.transform((id: string) => id.toLowerCase()),
);

export const ownOrderParams = z.object({ id: ownOrderId });

/** Answers with the order as it is now, which is what its followers are sent. */
export async function answerOrder(
  reply: FastifyReply,
  db: Queries,
  id: string,
): Promise<Order | FastifyReply> {
  return (await findOrder(db, id)) ?? sendUnknownOrder(reply);
}

export function sendUnknownOrder(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: "No order has this id and this key." });
}
