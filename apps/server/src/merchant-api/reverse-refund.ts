import { paths, refundReversalAnswerSchema, refundReversalRequestSchema } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import type { RefundedAccount, ReverseRefund } from "../payments/index.ts";
import { actorOf } from "./actor-of.ts";
import { issueParams } from "./issue-reference.ts";
import { ledgerAnswer } from "./ledger-answer.ts";
import { orderParams, resolveOrder } from "./order-reference.ts";

const UNKNOWN_REFUND = "No refund of it has this id.";
const refundId = { refundId: storedId };

const ofOrder = {
  operationId: "reverseRefund",
  summary: "Record that a refund did not arrive",
  description:
    "The shop has the money again, so it is refundable again. The payment issue that the refund had resolved opens again.",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({
    params: z.extend(orderParams, refundId),
    body: refundReversalRequestSchema,
  }),
  unknown: UNKNOWN_REFUND,
  answers: { 201: refundReversalAnswerSchema },
} satisfies Operation;

const ofIssue = {
  ...ofOrder,
  operationId: "reverseRefundOfIssue",
  summary: "Record that a refund of the money of a payment issue did not arrive",
  takes: z.object({
    params: z.extend(issueParams, refundId),
    body: refundReversalRequestSchema,
  }),
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly reverseRefund: ReverseRefund;
}

export function reverseRefundRoutes(app: FastifyInstance, { db, reverseRefund }: Options): void {
  const ofOrderPlace = { method: "POST", path: paths.merchant.refundReversal } as const;
  route(app, ofOrderPlace, ofOrder, async ({ params, body }, reply) => {
    const orderId = await resolveOrder(reply, db, params.id);
    if (orderId === undefined) return reply;
    const account = { orderId };
    return reverse(reply, { account, refundId: params.refundId, ...body }, reverseRefund);
  });
  const ofIssuePlace = { method: "POST", path: paths.merchant.issueRefundReversal } as const;
  route(app, ofIssuePlace, ofIssue, async ({ params, body }, reply) => {
    const account = { issueId: params.id };
    return reverse(reply, { account, refundId: params.refundId, ...body }, reverseRefund);
  });
}

interface Wanted {
  readonly account: RefundedAccount;
  readonly refundId: string;
  readonly reason: string;
}

async function reverse(reply: FastifyReply, wanted: Wanted, reverseRefund: ReverseRefund) {
  const outcome = await reverseRefund({ ...wanted, by: actorOf(reply.request) });
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
