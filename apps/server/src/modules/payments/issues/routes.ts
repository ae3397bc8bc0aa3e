import {
  issueKinds,
  type PaymentIssueDetail,
  paths,
  paymentIssueDetailSchema,
  paymentIssuesSchema,
  reopeningRequestSchema,
  resolutionRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { type Operation, storedId } from "../../../platform/http/operation.ts";
import { cursorText, pageOf } from "../../../platform/http/pagination.ts";
import { get, post, route } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { actorOf } from "../../staff/index.ts";
import { accountKeyOf, readAccount, readAccounts } from "../journal/journal-repository.ts";
import { issueAnswer, ledgerAnswer } from "../money-answers.ts";
import type { DecideIssue, IssueOutcome } from "./decide-issue.ts";
import { findIssue, listIssues } from "./issue-repository.ts";

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
  readonly decideIssue: DecideIssue;
}

export function issueRoutes(app: FastifyInstance, { db, decideIssue }: Options): void {
  route(app, get(paths.admin.paymentIssues), list, async ({ query }) => {
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
  route(app, get(paths.admin.paymentIssue), show, async ({ params: { id } }) => {
    const issue = await findIssue(db, id);
    return issue && answerOf({ issue, account: await readAccount(db, accountKeyOf(issue)) });
  });
  route(app, post(paths.admin.resolution), resolve, async ({ params, body }, reply) => {
    const { kind, note } = body;
    const by = actorOf(reply.request);
    return answerOf(await decideIssue({ issueId: params.id, resolution: kind, note, by }));
  });
  route(app, post(paths.admin.reopening), reopen, async ({ params, body }, reply) => {
    const by = actorOf(reply.request);
    const { note } = body;
    return answerOf(await decideIssue({ issueId: params.id, resolution: undefined, note, by }));
  });
}

function answerOf(outcome: IssueOutcome): PaymentIssueDetail | Refusal | undefined {
  if (outcome === undefined || outcome instanceof Refusal) return outcome;
  const { issue, account } = outcome;
  return { ...issueAnswer(issue, account), ledger: ledgerAnswer(account) };
}
