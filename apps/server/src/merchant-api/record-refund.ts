import { formatMoney } from "@keepsats/domain";
import {
  idempotencyHeader,
  idempotencyKeySchema,
  paths,
  refundAnswerSchema,
  refundRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { RecordRefund } from "../payments/index.ts";
import { actorOf } from "./actor-of.ts";
import { ledgerAnswer } from "./ledger-answer.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const keySchema = idempotencyKeySchema.check(
  z.describe("A request with the same key and body records the refund once"),
);

const operation = {
  operationId: "recordRefund",
  summary: "Record a refund of an order's money",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({
    params: orderParams,
    headers: z.object({ [idempotencyHeader]: z.optional(keySchema) }),
    body: refundRequestSchema,
  }),
  answers: { 201: refundAnswerSchema },
} satisfies Operation;

export function recordRefundRoute(
  app: FastifyInstance,
  { db, recordRefund }: { db: Queries; recordRefund: RecordRefund },
): void {
  const place = { method: "POST", path: paths.merchant.refunds } as const;
  route(app, place, operation, async ({ params, headers, body }, reply) => {
    const orderId = await resolveOrder(reply, db, params.id);
    if (orderId === undefined) return reply;
    const { amount: cents, expected_refunded: expectedRefunded, ...how } = body;
    const idempotencyKey = headers[idempotencyHeader];
    const by = actorOf(reply.request);
    const outcome = await recordRefund({
      orderId,
      cents,
      ...how,
      expectedRefunded,
      by,
      idempotencyKey,
    });
    switch (outcome.kind) {
      case "repeated":
        reply.header("Idempotent-Replayed", "true");
        return { id: outcome.refund.id, ledger: ledgerAnswer(outcome.ledger) };
      case "recorded":
        return { id: outcome.refund.id, ledger: ledgerAnswer(outcome.ledger) };
      case "more-than-refundable": {
        const { refundDue, refundable } = outcome.ledger;
        const detail = `Refund due: ${formatMoney(refundDue)}. At most ${formatMoney(refundable)} may be refunded.`;
        return sendProblem(reply, "more_than_refundable", { detail, refundable });
      }
      case "changed-meanwhile": {
        const refunded = formatMoney(outcome.ledger.refunded);
        const detail = `${refunded} of this order is refunded by now. This refund was not recorded.`;
        return sendProblem(reply, "refunds_changed", { detail });
      }
      case "key-reused":
        return sendProblem(reply, "idempotency_conflict", {
          detail: "This Idempotency-Key was used with another refund of this order.",
        });
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}
