import { formatMoneyIn } from "@keepsats/domain";
import {
  paths,
  paymentIssueDetailSchema,
  reopeningRequestSchema,
  resolutionRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import {
  findIssue,
  type ReopenIssue,
  type ReopeningOutcome,
  type ResolutionOutcome,
  type ResolveIssue,
} from "../payments/index.ts";
import { actorOf } from "./actor-of.ts";
import { answerIssue, issueParams, sendUnknownIssue, UNKNOWN_ISSUE } from "./issue-reference.ts";

const show = {
  operationId: "showPaymentIssue",
  summary: "One payment issue, with the ledger of its order or of its loan without an order",
  tag: "merchant",
  permission: "payments:read",
  takes: z.object({ params: issueParams }),
  unknown: UNKNOWN_ISSUE,
  answers: { 200: paymentIssueDetailSchema },
} satisfies Operation;

const resolve = {
  operationId: "resolvePaymentIssue",
  summary: "Resolve a payment issue",
  description:
    "`refunded` is refused with `refund_due` until the recorded refunds cover the money of its loan. `accepted` makes the loan the payment of an order that awaits it, and waives what it lacks; otherwise the shop keeps the money. `written-off` gives up what is missing, money without an order, or money of an unknown amount. `dismissed` is refused with `money_open` while its loan has money to decide about.",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({ params: issueParams, body: resolutionRequestSchema }),
  unknown: UNKNOWN_ISSUE,
  answers: { 200: paymentIssueDetailSchema },
} satisfies Operation;

const reopen = {
  operationId: "reopenPaymentIssue",
  summary: "Take the resolution of a payment issue back",
  description:
    "What the resolution has written into the journal is undone by opposite entries, and the payment issue is open again. The status of the order stays. One that was resolved as `refunded` is refused with `refund_stands`: reverse its refund instead.",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({ params: issueParams, body: reopeningRequestSchema }),
  unknown: UNKNOWN_ISSUE,
  answers: { 200: paymentIssueDetailSchema },
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly resolveIssue: ResolveIssue;
  readonly reopenIssue: ReopenIssue;
}

export function issueRoutes(
  app: FastifyInstance,
  { db, resolveIssue, reopenIssue }: Options,
): void {
  const showPlace = { method: "GET", path: paths.merchant.paymentIssue } as const;
  route(app, showPlace, show, async ({ params: { id } }, reply) =>
    answerIssue(reply, db, await findIssue(db, id)),
  );
  const resolvePlace = { method: "POST", path: paths.merchant.resolution } as const;
  route(app, resolvePlace, resolve, async ({ params, body }, reply) => {
    const { kind: resolution, note } = body;
    const by = actorOf(reply.request);
    const outcome = await resolveIssue({ issueId: params.id, resolution, note, by });
    return outcome.kind === "resolved"
      ? answerIssue(reply, db, outcome.issue)
      : sendNotResolved(reply, outcome);
  });
  const reopenPlace = { method: "POST", path: paths.merchant.reopening } as const;
  route(app, reopenPlace, reopen, async ({ params, body: { note } }, reply) => {
    const by = actorOf(reply.request);
    const outcome = await reopenIssue({ issueId: params.id, note, by });
    return outcome.kind === "reopened"
      ? answerIssue(reply, db, outcome.issue)
      : sendNotReopened(reply, outcome);
  });
}

function sendNotResolved(
  reply: FastifyReply,
  outcome: Exclude<ResolutionOutcome, { kind: "resolved" }>,
): FastifyReply {
  switch (outcome.kind) {
    case "not-found":
      return sendUnknownIssue(reply);
    case "resolved-already": {
      const { resolution, resolvedBy, resolutionNote } = outcome.issue;
      const detail = `It was resolved as ${resolution} by ${resolvedBy}: ${resolutionNote}`;
      return sendProblem(reply, "resolved_already", { detail });
    }
    case "refund-due": {
      const { amount, currency } = outcome;
      if (amount === undefined)
        return sendProblem(reply, "amount_unknown", {
          detail:
            "Nobody knows how much was paid out. Record the refund of the amount that you have refunded.",
        });
      return sendProblem(reply, "refund_due", {
        detail: `Record a refund of ${formatMoneyIn(amount, currency)} first.`,
        ...{ refund_due: amount, currency },
      });
    }
    case "nothing-refunded":
      return sendProblem(reply, "nothing_refunded", {
        detail: "Record a refund first, or resolve the payment issue in another way.",
      });
    case "not-acceptable":
      return sendProblem(reply, "not_acceptable", {
        detail: "Its loan brought no money, or its money was decided about already.",
      });
    case "nothing-to-write-off":
      return sendProblem(reply, "nothing_to_write_off", {
        detail:
          "Nothing is missing. Money of an order whose amount is known is refunded or accepted.",
      });
    case "money-open":
      return sendProblem(reply, "money_open", {
        detail: "Its loan has money that must be refunded, accepted or written off.",
      });
  }
}

function sendNotReopened(
  reply: FastifyReply,
  { kind }: Exclude<ReopeningOutcome, { kind: "reopened" }>,
): FastifyReply {
  switch (kind) {
    case "not-found":
      return sendUnknownIssue(reply);
    case "not-resolved":
      return sendProblem(reply, "not_resolved", { detail: "It is open." });
    case "refund-stands":
      return sendProblem(reply, "refund_stands", {
        detail: "It was resolved by a refund. If the refund did not arrive, reverse it.",
      });
    case "nothing-open":
      return sendProblem(reply, "nothing_open", {
        detail: "Its loan has no money any more that somebody could decide about.",
      });
  }
}
