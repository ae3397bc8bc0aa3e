import { formatMoneyIn } from "@keepsats/domain";
import {
  type IssueRefundRequest,
  idempotencyHeader,
  idempotencyKeySchema,
  issueRefundRequestSchema,
  paths,
  refundAnswerSchema,
  refundRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { RecordRefund, RefundedAccount } from "../payments/index.ts";
import { actorOf } from "./actor-of.ts";
import { issueParams, sendUnknownIssue, UNKNOWN_ISSUE } from "./issue-reference.ts";
import { ledgerAnswer } from "./ledger-answer.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const headers = z.object({
  [idempotencyHeader]: z.optional(
    idempotencyKeySchema.check(
      z.describe("A request with the same key and body records the refund once"),
    ),
  ),
});

const ofOrder = {
  operationId: "recordRefund",
  summary: "Record a refund of an order's money",
  description:
    "`issue_id` is the payment issue that the refund is for. Without it, the refund counts for the money that pays nothing. A payment issue whose money was refunded is resolved.",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({ params: orderParams, headers, body: refundRequestSchema }),
  answers: { 201: refundAnswerSchema },
} satisfies Operation;

const ofIssue = {
  operationId: "recordRefundOfIssue",
  summary: "Record a refund of the money that a payment issue is about",
  description:
    "Also of money without an order. If nobody knows how much was paid out, the refunded amount is taken as what it was.",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({ params: issueParams, headers, body: issueRefundRequestSchema }),
  unknown: UNKNOWN_ISSUE,
  answers: { 201: refundAnswerSchema },
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly recordRefund: RecordRefund;
}

export function recordRefundRoutes(app: FastifyInstance, { db, recordRefund }: Options): void {
  const ofOrderPlace = { method: "POST", path: paths.merchant.refunds } as const;
  route(app, ofOrderPlace, ofOrder, async ({ params, headers, body }, reply) => {
    const orderId = await resolveOrder(reply, db, params.id);
    if (orderId === undefined) return reply;
    const { issue_id: issueId, ...refund } = body;
    const idempotencyKey = headers[idempotencyHeader];
    return record(reply, { account: { orderId, issueId }, refund, idempotencyKey }, recordRefund);
  });
  const ofIssuePlace = { method: "POST", path: paths.merchant.issueRefunds } as const;
  route(app, ofIssuePlace, ofIssue, async ({ params, headers, body: refund }, reply) => {
    const idempotencyKey = headers[idempotencyHeader];
    return record(reply, { account: { issueId: params.id }, refund, idempotencyKey }, recordRefund);
  });
}

interface Wanted {
  readonly account: RefundedAccount;
  readonly refund: IssueRefundRequest;
  readonly idempotencyKey: string | undefined;
}

async function record(
  reply: FastifyReply,
  { account, refund, idempotencyKey }: Wanted,
  recordRefund: RecordRefund,
) {
  const { expected_refunded: expectedRefunded, ...how } = refund;
  const by = actorOf(reply.request);
  const outcome = await recordRefund({ account, ...how, expectedRefunded, by, idempotencyKey });
  switch (outcome.kind) {
    case "repeated":
      reply.header("Idempotent-Replayed", "true");
      return { id: outcome.refundId, ledger: ledgerAnswer(outcome.account) };
    case "recorded":
      return { id: outcome.refundId, ledger: ledgerAnswer(outcome.account) };
    case "more-than-refundable": {
      const { refundable, currency } = outcome;
      const detail = `At most ${formatMoneyIn(refundable, currency)} may be refunded.`;
      return sendProblem(reply, "more_than_refundable", { detail, refundable, currency });
    }
    case "changed-meanwhile": {
      const refunded = formatMoneyIn(outcome.refunded, outcome.currency);
      const whose = "orderId" in account ? "of this order" : "of its money";
      const detail = `By now ${refunded} ${whose} has been refunded. This refund was not recorded.`;
      return sendProblem(reply, "refunds_changed", { detail });
    }
    case "key-reused":
      return sendProblem(reply, "idempotency_conflict", {
        detail: "This Idempotency-Key was used with another refund of this order.",
      });
    case "unknown-issue": {
      const message = "is not a payment issue of this order";
      return sendProblem(reply, "invalid", { errors: [{ path: "issue_id", message }] });
    }
    case "not-found":
      return "orderId" in account ? sendUnknownOrder(reply) : sendUnknownIssue(reply);
  }
}
