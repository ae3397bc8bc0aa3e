import {
  idempotencyHeader,
  issueRefundRequestSchema,
  paths,
  refundAnswerSchema,
  refundRequestSchema,
  refundReversalAnswerSchema,
  refundReversalRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { idempotencyHeaders, type Operation, storedId } from "../../../platform/http/operation.ts";
import { post, route } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { orderParams, orderRoute } from "../../orders/index.ts";
import { actorOf } from "../../staff/index.ts";
import { issueParams, UNKNOWN_ISSUE } from "../issues/routes.ts";
import { ledgerAnswer } from "../money-answers.ts";
import { UNKNOWN_REFUND } from "../rules/index.ts";
import type { Refunds, RefundToRecord, ReversalToRecord } from "./refunds.ts";

const headers = idempotencyHeaders("A request with the same key and body records the refund once");

const recordOfOrder = {
  operationId: "recordRefund",
  summary: "Record a refund of an order's money",
  description:
    "`issue_id` is the payment issue that the refund is for. Without it, the refund counts for the money that pays nothing. A payment issue whose money was refunded is resolved. With `grant`, the refund is of money that pays the order: at most `grantable` of the ledger, and once nothing else is due.",
  permission: "payments:write",
  takes: z.object({ params: orderParams, headers, body: refundRequestSchema }),
  answers: { 201: refundAnswerSchema },
} satisfies Operation;

const recordOfIssue = {
  operationId: "recordRefundOfIssue",
  summary: "Record a refund of the money that a payment issue is about",
  description:
    "Also of money without an order. If the paid-out amount is unknown, it counts as the refunded amount.",
  permission: "payments:write",
  takes: z.object({ params: issueParams, headers, body: issueRefundRequestSchema }),
  notFoundDetail: UNKNOWN_ISSUE,
  answers: { 201: refundAnswerSchema },
} satisfies Operation;

const refundId = { refundId: storedId };

const reverseOfOrder = {
  operationId: "reverseRefund",
  summary: "Record that a refund did not arrive",
  description:
    "The shop has the money again, so it is refundable again. The payment issue that the refund had resolved opens again.",
  permission: "payments:write",
  takes: z.object({
    params: z.extend(orderParams, refundId),
    body: refundReversalRequestSchema,
  }),
  notFoundDetail: UNKNOWN_REFUND,
  answers: { 201: refundReversalAnswerSchema },
} satisfies Operation;

const reverseOfIssue = {
  ...reverseOfOrder,
  operationId: "reverseRefundOfIssue",
  summary: "Record that a refund of the money of a payment issue did not arrive",
  takes: z.object({
    params: z.extend(issueParams, refundId),
    body: refundReversalRequestSchema,
  }),
} satisfies Operation;

export function refundRoutes(app: FastifyInstance, db: Queries, refunds: Refunds): void {
  async function record(reply: FastifyReply, request: Omit<RefundToRecord, "by">) {
    const outcome = await refunds.record({ ...request, by: actorOf(reply.request) });
    if (outcome === undefined || outcome.kind === "refused") return outcome;
    if (outcome.kind === "repeated") reply.header("Idempotent-Replayed", "true");
    return { id: outcome.refundId, ledger: ledgerAnswer(outcome.account) };
  }

  async function reverse(reply: FastifyReply, request: Omit<ReversalToRecord, "by">) {
    const outcome = await refunds.reverse({ ...request, by: actorOf(reply.request) });
    return outcome instanceof Refusal ? outcome : { ledger: ledgerAnswer(outcome) };
  }

  orderRoute(
    app,
    db,
    post(paths.admin.refunds),
    recordOfOrder,
    async ({ orderId, headers, body }, reply) => {
      const { issue_id: issueId, return_id: returnId, ...rest } = body;
      const { expected_refunded: expectedRefunded, ...how } = rest;
      const account = { orderId, issueId };
      const idempotencyKey = headers[idempotencyHeader];
      return record(reply, { account, ...how, returnId, expectedRefunded, idempotencyKey });
    },
  );
  route(app, post(paths.admin.issueRefunds), recordOfIssue, ({ params, headers, body }, reply) => {
    const { expected_refunded: expectedRefunded, ...how } = body;
    const idempotencyKey = headers[idempotencyHeader];
    const account = { issueId: params.id };
    return record(reply, { account, ...how, expectedRefunded, idempotencyKey });
  });
  orderRoute(
    app,
    db,
    post(paths.admin.refundReversal),
    reverseOfOrder,
    ({ orderId, params, body }, reply) =>
      reverse(reply, { account: { orderId }, refundId: params.refundId, ...body }),
  );
  route(app, post(paths.admin.issueRefundReversal), reverseOfIssue, ({ params, body }, reply) =>
    reverse(reply, { account: { issueId: params.id }, refundId: params.refundId, ...body }),
  );
}
