import { paths } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { network } from "../limits/limit.ts";
import type { CancelOrder, NotCancelled } from "../payments/index.ts";
import { answerOrder, ownOrder, ownOrderParams, sendUnknownOrder } from "./own-order.ts";

const operation = {
  ...ownOrder,
  operationId: "cancelOwnOrder",
  summary: "Cancel the shopper's own order",
  description: `Possible while the order awaits payment, unless a loan for it is paid out, or is active and was presented with the order's key. Otherwise the answer is 409: \`loan_under_way\`, or \`transition_refused\` with \`current_status\`. Cancelling a cancelled order changes nothing and returns the order. If the loan provider cannot be asked about a loan for the order, the answer is 503.`,
  takes: z.object({ params: ownOrderParams }),
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly cancelOrder: CancelOrder;
  /** The hooks that check the order's key. */
  readonly onRequest: onRequestHookHandler[];
}

/** `POST /api/orders/:id/cancellation`. */
export function cancelOwnOrderRoute(
  app: FastifyInstance,
  { db, cancelOrder, onRequest }: Options,
): void {
  const place = { method: "POST", path: paths.cancellation, onRequest } as const;
  route(app, place, operation, async ({ params: { id } }, reply) => {
    const outcome = await cancelOrder(
      id,
      { kind: "shopper" },
      { client: network(reply.request.ip) },
    );
    switch (outcome.kind) {
      case "cancelled":
      case "unchanged":
        return answerOrder(reply, db, id);
      case "loan-under-way":
      case "paid":
      case "refused":
      case "overtaken":
      case "undecided":
      case "not-found":
        return sendNotCancelled(reply, outcome);
    }
  });
}

/** Answers why the customer's own order is not cancelled. */
export function sendNotCancelled(reply: FastifyReply, why: NotCancelled): FastifyReply {
  switch (why.kind) {
    case "loan-under-way":
      return sendProblem(reply, "loan_under_way", {
        detail: "The order can be cancelled when the loan has ended without a payment.",
        current_status: why.status,
      });
    case "paid":
      return sendProblem(reply, "transition_refused", {
        detail: "A loan has been paid out for the order.",
        current_status: why.status,
      });
    case "refused":
      return sendProblem(reply, "transition_refused", {
        detail: `An order that is ${why.status} cannot be cancelled.`,
        current_status: why.status,
      });
    case "overtaken":
    case "undecided":
      return sendProblem(reply, "unavailable", {
        detail: "The loan provider cannot be asked about a loan for the order now.",
      });
    case "not-found":
      return sendUnknownOrder(reply);
  }
}
