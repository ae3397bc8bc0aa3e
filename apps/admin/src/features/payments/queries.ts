import { call } from "@keepsats/client";
import {
  type IssueKind,
  paths,
  paymentIssueDetailSchema,
  paymentIssuesSchema,
  type Resolution,
  withId,
} from "@keepsats/protocol";
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { filledParameters } from "../../lib/parameters.ts";

export type IssueState = "open" | "resolved";

/** The payment issues of a state, and of a kind if given, newest first, page by page. */
export function issuesQuery(state: IssueState, kind: IssueKind | undefined) {
  return infiniteQueryOptions({
    queryKey: ["payment_issues", state, kind],
    // A refund changes the balances of the other payment issues of its order.
    meta: { topics: ["payment_issues", "orders"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const parameters = filledParameters({ state, kind: kind ?? "", cursor: pageParam });
      return call({
        path: `${paths.admin.paymentIssues}?${parameters}`,
        answer: paymentIssuesSchema,
        signal,
      });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ payment_issues }) => payment_issues),
  });
}

/** One payment issue with the ledger of its account. */
export function issueQuery(id: string) {
  return queryOptions({
    queryKey: ["payment_issue", id],
    meta: { topics: ["payment_issues", "orders"] },
    queryFn: ({ signal }) =>
      call({
        path: withId(paths.admin.paymentIssue, id),
        answer: paymentIssueDetailSchema,
        signal,
      }),
  });
}

/** A resolution, or the reopening of a resolved payment issue. */
export type Decision = Resolution | "reopen";

export function decideIssue(id: string, decision: Decision, note: string) {
  const isReopened = decision === "reopen";
  return call({
    path: withId(isReopened ? paths.admin.reopening : paths.admin.resolution, id),
    method: "POST",
    body: isReopened ? { note } : { kind: decision, note },
    answer: paymentIssueDetailSchema,
  });
}

/** Refetches everything that shows payment issues. */
export function invalidateIssues(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ meta }) => meta?.topics?.includes("payment_issues") === true,
  });
}
