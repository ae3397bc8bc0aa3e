import { issueKinds, paths, paymentIssuesSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { pageOf } from "../http/page.ts";
import { route } from "../http/route.ts";
import { listIssues } from "../payments/index.ts";
import { issueCursor } from "./cursors.ts";
import { readAccountsOfIssues } from "./issue-accounts.ts";
import { issueAnswer } from "./issue-answer.ts";

const PAGE = 200;

const operation = {
  operationId: "listPaymentIssues",
  summary: "A page of payment issues, newest first",
  tag: "merchant",
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

export function listIssuesRoute(app: FastifyInstance, db: Queries): void {
  route(
    app,
    { method: "GET", path: paths.merchant.paymentIssues },
    operation,
    async ({ query }) => {
      const { state, kind, cursor: after } = query;
      const issues = await listIssues(db, { state, kind, after, limit: PAGE + 1 });
      const { page, next_cursor } = pageOf(issues, PAGE, ({ openedAt, id }) =>
        z.encode(issueCursor, { openedAt, id }),
      );
      const accountOf = await readAccountsOfIssues(db, page);
      return {
        payment_issues: page.flatMap((issue) => issueAnswer(issue, accountOf(issue)) ?? []),
        next_cursor,
      };
    },
  );
}
