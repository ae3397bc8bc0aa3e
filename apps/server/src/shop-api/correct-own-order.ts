import { correctOrderSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance, onRequestHookHandler } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { CorrectAddress } from "../orders/index.ts";
import { answerOrder, ownOrder, ownOrderParams, sendUnknownOrder } from "./own-order.ts";

const operation = {
  ...ownOrder,
  operationId: "correctOwnOrder",
  summary: "Correct the shipping address of the shopper's own order",
  description:
    "Possible until the order is shipped; after that the answer is 409 with `current_status`. `expected` may contain the address as it was last read: if it has changed since, nothing is stored and the answer is 409 order_changed.",
  takes: z.object({ params: ownOrderParams, body: correctOrderSchema }),
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly correctAddress: CorrectAddress;
  /** The hooks that check the order's key. */
  readonly onRequest: onRequestHookHandler[];
}

/** `PATCH /api/orders/:id`. */
export function correctOwnOrderRoute(
  app: FastifyInstance,
  { db, correctAddress, onRequest }: Options,
): void {
  const place = { method: "PATCH", path: paths.order, onRequest } as const;
  route(app, place, operation, async ({ params: { id }, body }, reply) => {
    const by = { kind: "shopper" } as const;
    const { shipping_address: address, expected } = body;
    const outcome = await correctAddress({
      orderId: id,
      address,
      expected: expected?.shipping_address,
      by,
    });
    switch (outcome.kind) {
      case "corrected":
      case "unchanged":
        return answerOrder(reply, db, id);
      case "changed-meanwhile":
        return sendProblem(reply, "order_changed", {
          detail: "The order's address is not the expected one. Nothing was stored.",
        });
      case "refused":
        return sendProblem(reply, "status_changed", {
          detail: `The address of an order that is ${outcome.status} cannot be corrected.`,
          current_status: outcome.status,
        });
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}
