import { call } from "@keepsats/client";
import {
  type IssueKind,
  merchantOrderSchema,
  paths,
  paymentIssueSchema,
  paymentIssuesSchema,
  type ResolutionRequest,
  withId,
} from "@keepsats/protocol";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

export type IssueState = "open" | "resolved";

/** The payment issues of one state, and of one kind if it is given, newest first, page by page. */
export function issuesQuery(state: IssueState, kind: IssueKind | undefined) {
  return infiniteQueryOptions({
    queryKey: ["payment_issues", state, kind],
    meta: { topics: ["payment_issues"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({ state });
      if (kind !== undefined) parameters.set("kind", kind);
      if (pageParam !== "") parameters.set("cursor", pageParam);
      return call({
        path: `${paths.merchant.paymentIssues}?${parameters}`,
        answer: paymentIssuesSchema,
        signal,
      });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ payment_issues }) => payment_issues),
  });
}

/** One payment issue as it is now, open or resolved, with the refund that is due for it. */
export function issueQuery(id: string) {
  return queryOptions({
    queryKey: ["payment_issue", id],
    // A refund of its order changes the refund that is due.
    meta: { topics: ["payment_issues", "orders"] },
    queryFn: ({ signal }) =>
      call({ path: withId(paths.merchant.paymentIssue, id), answer: paymentIssueSchema, signal }),
  });
}

/** An order's payment issues and the amount refunded so far, read at the same time. */
export function moneyQuery(orderId: string) {
  return queryOptions({
    queryKey: ["money", orderId],
    meta: { topics: ["orders", "payment_issues"] },
    queryFn: async ({ signal }) => {
      const path = withId(paths.merchant.order, orderId);
      const { ledger, payment_issues } = await call({ path, answer: merchantOrderSchema, signal });
      return { refunded: ledger.refunded, issues: payment_issues };
    },
  });
}

export function resolveIssue(id: string, body: ResolutionRequest) {
  return call({
    path: withId(paths.merchant.resolution, id),
    method: "POST",
    body,
    answer: paymentIssueSchema,
  });
}
