import { formatMoneyIn } from "@keepsats/domain";
import {
  issueKinds,
  type PaymentIssueDetail,
  paths,
  paymentIssueDetailSchema,
  paymentIssuesSchema,
  reopeningRequestSchema,
  resolutionRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { type Operation, storedId } from "../../../platform/http/operation.ts";
import { cursorText, pageOf } from "../../../platform/http/pagination.ts";
import { sendProblem } from "../../../platform/http/problems.ts";
import { route } from "../../../platform/http/route.ts";
import { actorOf } from "../../staff/index.ts";
import { accountKeyOf, readAccount, readAccounts } from "../journal/journal-repository.ts";
import { issueAnswer, ledgerAnswer } from "../money-answers.ts";
import { findIssue, listIssues } from "./issue-repository.ts";
import type {
  IssueWithAccount,
  ReopenIssue,
  ReopeningOutcome,
  ResolutionOutcome,
  ResolveIssue,
} from "./resolve-issue.ts";

const ISSUES_PER_PAGE = 200;
export const UNKNOWN_ISSUE = "No payment issue has this id.";

/** The end of a page of payment issues, encoded as `<epoch milliseconds>_<id>`. */
export const issueCursor = z.codec(
  cursorText(/^\d{1,15}_[0-9a-f-]{36}$/),
  z.object({ openedAt: z.int(), id: z.string() }),
  {
    decode(text) {
      const [openedAt, id = ""] = text.split("_");
      return { openedAt: Number(openedAt), id };
    },
    encode: ({ openedAt, id }) => `${openedAt}_${id}`,
  },
);

export const issueParams = z.object({ id: storedId });

const list = {
  operationId: "listPaymentIssues",
  summary: "List payment issues, newest first",
  permission: "payments:read",
  takes: z.object({
    query: z.object({
      state: z.optional(z.enum(["open", "resolved"])),
      kind: z.optional(z.enum(issueKinds)),
      cursor: z.optional(issueCursor),
    }),
  }),
  answers: { 200: paymentIssuesSchema },
} satisfies Operation;

const show = {
  operationId: "showPaymentIssue",
  summary: "Get a payment issue, with the ledger of its order or of its loan without an order",
  permission: "payments:read",
  takes: z.object({ params: issueParams }),
  notFoundDetail: UNKNOWN_ISSUE,
  answers: { 200: paymentIssueDetailSchema },
} satisfies Operation;

const resolve = {
  operationId: "resolvePaymentIssue",
  summary: "Resolve a payment issue",
  description:
    "`refunded` is refused with `refund_due` until the recorded refunds cover the money of its loan. `accepted` makes the loan the payment of an order that awaits it, and waives what it lacks; otherwise the shop keeps the money. `written-off` writes off what is missing, money without an order, or money of an unknown amount. `dismissed` is refused with `money_open` while its loan has money to decide about.",
  permission: "payments:write",
  takes: z.object({ params: issueParams, body: resolutionRequestSchema }),
  notFoundDetail: UNKNOWN_ISSUE,
  answers: { 200: paymentIssueDetailSchema },
} satisfies Operation;

const reopen = {
  operationId: "reopenPaymentIssue",
  summary: "Reopen a payment issue",
  description:
    "What the resolution has written into the journal is undone by opposite entries, and the payment issue is open again. The status of the order stays. One that was resolved as `refunded` is refused with `refund_stands`: reverse its refund instead.",
  permission: "payments:write",
  takes: z.object({ params: issueParams, body: reopeningRequestSchema }),
  notFoundDetail: UNKNOWN_ISSUE,
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
  const { paymentIssues, paymentIssue, resolution, reopening } = paths.admin;
  route(app, { method: "GET", path: paymentIssues }, list, async ({ query }) => {
    const { state, kind, cursor: after } = query;
    const issues = await listIssues(db, { state, kind, after, limit: ISSUES_PER_PAGE + 1 });
    const { page, next_cursor } = pageOf(issues, ISSUES_PER_PAGE, ({ openedAt, id }) =>
      z.encode(issueCursor, { openedAt, id }),
    );
    const accountBy = await readAccounts(db, page.map(accountKeyOf));
    return {
      payment_issues: page.map((issue) => issueAnswer(issue, accountBy(accountKeyOf(issue)))),
      next_cursor,
    };
  });
  route(app, { method: "GET", path: paymentIssue }, show, async ({ params: { id } }, reply) => {
    const issue = await findIssue(db, id);
    if (issue === undefined) return sendUnknownIssue(reply);
    return answerOf({ issue, account: await readAccount(db, accountKeyOf(issue)) });
  });
  route(app, { method: "POST", path: resolution }, resolve, async ({ params, body }, reply) => {
    const { kind, note } = body;
    const by = actorOf(reply.request);
    const outcome = await resolveIssue({ issueId: params.id, resolution: kind, note, by });
    return outcome.kind === "resolved" ? answerOf(outcome) : sendNotResolved(reply, outcome);
  });
  route(app, { method: "POST", path: reopening }, reopen, async ({ params, body }, reply) => {
    const by = actorOf(reply.request);
    const outcome = await reopenIssue({ issueId: params.id, note: body.note, by });
    return outcome.kind === "reopened" ? answerOf(outcome) : sendNotReopened(reply, outcome);
  });
}

function answerOf({ issue, account }: IssueWithAccount): PaymentIssueDetail {
  return { ...issueAnswer(issue, account), ledger: ledgerAnswer(account) };
}

export function sendUnknownIssue(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: UNKNOWN_ISSUE });
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
      const detail = `The payment issue was resolved as ${resolution} by ${resolvedBy}: ${resolutionNote}`;
      return sendProblem(reply, "resolved_already", { detail });
    }
    case "refund-due": {
      const { amount, currency } = outcome;
      if (amount === undefined)
        return sendProblem(reply, "amount_unknown", {
          detail:
            "The paid-out amount is unknown. Record a refund of the amount that you returned.",
        });
      return sendProblem(reply, "refund_due", {
        detail: `Record a refund of ${formatMoneyIn(amount, currency)} first.`,
        refund_due: amount,
        currency,
      });
    }
    case "nothing-refunded":
      return sendProblem(reply, "nothing_refunded", {
        detail: "Record a refund first, or resolve the payment issue in another way.",
      });
    case "not-acceptable":
      return sendProblem(reply, "not_acceptable", {
        detail: "The loan brought no money, or its money was already decided about.",
      });
    case "nothing-to-write-off":
      return sendProblem(reply, "nothing_to_write_off", {
        detail:
          "Nothing is missing. An order's money of a known amount can only be refunded or accepted.",
      });
    case "money-open":
      return sendProblem(reply, "money_open", {
        detail: "The loan has money that must be refunded, accepted or written off.",
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
      return sendProblem(reply, "not_resolved", { detail: "The payment issue is open." });
    case "refund-stands":
      return sendProblem(reply, "refund_stands", {
        detail: "A refund resolved the payment issue. If that refund did not arrive, reverse it.",
      });
    case "nothing-open":
      return sendProblem(reply, "nothing_open", {
        detail: "The loan has no money left to decide about.",
      });
  }
}
