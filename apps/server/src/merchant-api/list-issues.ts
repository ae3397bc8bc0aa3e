import { issueKinds, paths, paymentIssuesSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { pageOf } from "../http/page.ts";
import { route } from "../http/route.ts";
import {
  type Books,
  findBooksFor,
  listIssues,
  refundedFor,
  type StoredIssue,
} from "../payments/index.ts";
import { issueCursor } from "./cursors.ts";
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
      const rows = await listIssues(db, { state, kind, after, limit: PAGE + 1 });
      const { page, next_cursor } = pageOf(rows, PAGE, ({ seen_at, loan_id, order_id, kind }) =>
        z.encode(issueCursor, {
          seenAt: seen_at,
          loanId: loan_id,
          orderId: order_id,
          kind,
        }),
      );
      const books = await booksWithRefunds(db, page);
      return {
        payment_issues: page.flatMap((row) => issueAnswer(row, books.get(row.order_id)) ?? []),
        next_cursor,
      };
    },
  );
}

/**
 * The books of the orders that have refunds: only there the refund due of a payment issue may be
 * less than its amount.
 */
async function booksWithRefunds(
  db: Queries,
  rows: readonly StoredIssue[],
): Promise<ReadonlyMap<string, Books>> {
  const open = rows.filter(({ resolved_at, cents }) => resolved_at === null && cents !== null);
  const refunded = await refundedFor(
    db,
    open.map(({ order_id }) => order_id),
  );
  return findBooksFor(db, [...refunded.keys()]);
}
