import { call } from "@keepsats/client";
import {
  happenedText,
  type IssueKind,
  issueKinds,
  type PaymentIssue,
  paths,
  paymentIssuesSchema,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { filledParameters } from "../../lib/parameters.ts";
import { Empty, Loaded, ShowMore } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Tab } from "../../ui/tab.tsx";
import { IssueCard } from "./issue-card.tsx";
import { IssueDialog } from "./issue-dialogs.tsx";
import type { IssueOption } from "./issue-labels.ts";

type IssueState = "open" | "resolved";

const tabs: readonly { readonly state: IssueState; readonly label: string }[] = [
  { state: "open", label: "Needs attention" },
  { state: "resolved", label: "Resolved" },
];

/** The payment issues of a state, and of a kind if given, newest first, page by page. */
function issuesQuery(state: IssueState, kind: IssueKind | undefined) {
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

export default function PaymentsScreen() {
  const [parameters, setParameters] = useSearchParams();
  const state: IssueState = parameters.get("state") === "resolved" ? "resolved" : "open";
  // Emails link to one kind, such as `?kind=duplicate`.
  const kind = issueKinds.find((known) => known === parameters.get("kind"));
  const query = useInfiniteQuery(issuesQuery(state, kind));
  // Kept here, because an issue that a colleague resolves leaves the list while its dialog is open.
  const [chosen, setChosen] = useState<{
    readonly issue: PaymentIssue;
    /** `undefined` to show the journal. */
    readonly option: IssueOption | undefined;
  }>();

  return (
    <Screen title="Payments">
      <fieldset>
        <legend className="sr-only">State</legend>
        <div className="flex gap-1 border-b border-line">
          {tabs.map((tab) => (
            <Tab
              key={tab.state}
              isPressed={tab.state === state}
              onClick={() =>
                setParameters(tab.state === "open" ? {} : { state: tab.state }, { replace: true })
              }
            >
              {tab.label}
            </Tab>
          ))}
        </div>
      </fieldset>
      {kind !== undefined && (
        <p className="flex flex-wrap items-center gap-3 pt-4">
          Only: {happenedText({ kind })}
          <Button
            onClick={() => setParameters(state === "open" ? {} : { state }, { replace: true })}
          >
            Show all
          </Button>
        </p>
      )}
      <Loaded query={query} subject="The payment issues">
        {(issues) =>
          issues.length === 0 ? (
            <Empty>{emptyText(state, kind !== undefined)}</Empty>
          ) : (
            <ul className="divide-y divide-line">
              {issues.map((issue) => (
                <IssueCard
                  key={issue.id}
                  issue={issue}
                  onChoose={(option) => setChosen({ issue, option })}
                  onShowJournal={() => setChosen({ issue, option: undefined })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <ShowMore query={query} />
      {chosen !== undefined && <IssueDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </Screen>
  );
}

function emptyText(state: IssueState, isFiltered: boolean): string {
  if (isFiltered) return "No payment issues of this kind.";
  return state === "open"
    ? "No payment needs attention."
    : "No payment issues have been resolved yet.";
}
