import { formatMoneyIn } from "@keepsats/domain";
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
import { sendProblem } from "../../../platform/http/problems.ts";
import { route } from "../../../platform/http/route.ts";
import {
  orderParams,
  orderRoute,
  sendReturnChanged,
  sendUnknownOrder,
} from "../../orders/index.ts";
import { actorOf } from "../../staff/index.ts";
import { issueParams, sendUnknownIssue, UNKNOWN_ISSUE } from "../issues/routes.ts";
import { ledgerAnswer } from "../money-answers.ts";
import type { RefundedAccount, Refunds, RefundToRecord } from "./refunds.ts";

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

const UNKNOWN_REFUND = "No refund has this id.";
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

interface Options {
  readonly db: Queries;
  readonly refunds: Refunds;
}

export function refundRoutes(app: FastifyInstance, { db, refunds }: Options): void {
  async function record(reply: FastifyReply, request: Omit<RefundToRecord, "by">) {
    const outcome = await refunds.record({ ...request, by: actorOf(reply.request) });
    const isOfOrder = request.account.orderId !== undefined;
    if (outcome.kind === "repeated") reply.header("Idempotent-Replayed", "true");
    switch (outcome.kind) {
      case "repeated":
      case "recorded":
        return { id: outcome.refundId, ledger: ledgerAnswer(outcome.account) };
      case "more-than-refundable": {
        const { refundable, currency } = outcome;
        const detail = `At most ${formatMoneyIn(refundable, currency)} may be refunded.`;
        return sendProblem(reply, "more_than_refundable", { detail, refundable, currency });
      }
      case "refunds-changed": {
        const refunded = formatMoneyIn(outcome.refunded, outcome.currency);
        const whose = isOfOrder ? "of this order" : "of its money";
        const detail = `By now ${refunded} ${whose} has been refunded. This refund was not recorded.`;
        return sendProblem(reply, "refunds_changed", { detail });
      }
      case "refund-due": {
        const due = formatMoneyIn(outcome.amount, outcome.currency);
        return sendProblem(reply, "refund_due", {
          detail: `Refund ${due} that is due first, without a grant. This refund was not recorded.`,
          refund_due: outcome.amount,
          currency: outcome.currency,
        });
      }
      case "not-paid":
        return sendProblem(reply, "not_grantable", {
          detail: `A refund can be granted only for a paid order. This order is ${outcome.status}.`,
          current_status: outcome.status,
        });
      case "erased":
        return sendProblem(reply, "not_grantable", {
          detail: "The personal data of this order is erased, so no refund can be granted.",
        });
      case "wrong-lines":
        return sendProblem(reply, "invalid", { errors: [...outcome.errors] });
      case "key-reused":
        return sendProblem(reply, "idempotency_conflict", {
          detail: "This Idempotency-Key was used with another refund of this order.",
        });
      case "state-changed":
      case "refused":
        return sendReturnChanged(reply, outcome, "refunded");
      case "unknown-return": {
        const message = "is not a return of this order";
        return sendProblem(reply, "invalid", { errors: [{ path: "return_id", message }] });
      }
      case "unknown-issue": {
        const message = "is not a payment issue of this order";
        return sendProblem(reply, "invalid", { errors: [{ path: "issue_id", message }] });
      }
      case "not-found":
        return isOfOrder ? sendUnknownOrder(reply) : sendUnknownIssue(reply);
    }
  }

  async function reverse(
    reply: FastifyReply,
    request: { account: RefundedAccount; refundId: string; reason: string },
  ) {
    const outcome = await refunds.reverse({ ...request, by: actorOf(reply.request) });
    switch (outcome.kind) {
      case "recorded":
        return { ledger: ledgerAnswer(outcome.account) };
      case "reversed-already":
        return sendProblem(reply, "reversed_already", {
          detail: "This refund was reversed before. Nothing was recorded.",
        });
      case "not-found":
        return sendProblem(reply, "not_found", { detail: UNKNOWN_REFUND });
    }
  }

  const { refunds: ofOrder, refundReversal, issueRefunds, issueRefundReversal } = paths.admin;
  const post = (path: string) => ({ method: "POST", path }) as const;
  orderRoute(app, db, post(ofOrder), recordOfOrder, async ({ orderId, headers, body }, reply) => {
    const { issue_id: issueId, return_id: returnId, ...rest } = body;
    const { expected_refunded: expectedRefunded, ...how } = rest;
    const account = { orderId, issueId };
    const idempotencyKey = headers[idempotencyHeader];
    return record(reply, { account, ...how, returnId, expectedRefunded, idempotencyKey });
  });
  route(app, post(issueRefunds), recordOfIssue, ({ params, headers, body }, reply) => {
    const { expected_refunded: expectedRefunded, ...how } = body;
    const idempotencyKey = headers[idempotencyHeader];
    const account = { issueId: params.id };
    return record(reply, { account, ...how, expectedRefunded, idempotencyKey });
  });
  orderRoute(app, db, post(refundReversal), reverseOfOrder, ({ orderId, params, body }, reply) =>
    reverse(reply, { account: { orderId }, refundId: params.refundId, ...body }),
  );
  route(app, post(issueRefundReversal), reverseOfIssue, ({ params, body }, reply) =>
    reverse(reply, { account: { issueId: params.id }, refundId: params.refundId, ...body }),
  );
}
