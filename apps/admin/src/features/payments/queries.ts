import { call } from "@keepsats/client";
import {
  type IssueKind,
  paths,
  paymentIssueDetailSchema,
  paymentIssuesSchema,
  type Resolution,
  withId,
} from "@keepsats/protocol";
import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { apiQuery, post } from "../../lib/api.ts";
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
  const path = withId(paths.admin.paymentIssue, id);
  return apiQuery(path, paymentIssueDetailSchema, ["payment_issues", "orders"]);
}

/** A resolution, or the reopening of a resolved payment issue. */
export type Decision = Resolution | "reopen";

export function decideIssue(id: string, decision: Decision, note: string) {
  return decision === "reopen"
    ? post(withId(paths.admin.reopening, id), { note }, paymentIssueDetailSchema)
    : post(withId(paths.admin.resolution, id), { kind: decision, note }, paymentIssueDetailSchema);
}

/** Refetches everything that shows payment issues. */
export function invalidateIssues(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ meta }) => meta?.topics?.includes("payment_issues") === true,
  });
}
