import type { Actor } from "../../orders/index.ts";
import { accountOf, readAccountOf } from "../journal/journal-repository.ts";
import { type ReopeningRefusal, reopeningOf } from "../rules.ts";
import { findIssue, type StoredIssue } from "./issue-repository.ts";
import { applyDecision, type DecisionDependencies, lockIssue } from "./resolve-issue.ts";

/** That the resolution of a payment issue was wrong, and why. */
export interface ReopeningRequest {
  readonly issueId: string;
  readonly note: string;
  readonly by: Actor;
}

/** The outcome of a {@link ReopeningRequest}; all but `reopened` change nothing. */
export type ReopeningOutcome =
  | { readonly kind: "reopened"; readonly issue: StoredIssue }
  | { readonly kind: "not-found" }
  | ReopeningRefusal;

export type ReopenIssue = (request: ReopeningRequest) => Promise<ReopeningOutcome>;

/** Creates the function that takes the resolutions of payment issues back, by opposite entries. */
export function createReopenIssue(dependencies: DecisionDependencies): ReopenIssue {
  const { database, records } = dependencies;
  return ({ issueId, note, by }) =>
    database.inTransaction(async (unit): Promise<ReopeningOutcome> => {
      const issue = await lockIssue(unit, issueId);
      if (issue === undefined) return { kind: "not-found" };
      const account = await readAccountOf(unit.db, accountOf(issue));
      const decision = reopeningOf(issue, account);
      if (decision.kind !== "decided") return decision;
      await records.reopen(unit, issue, { note, by });
      await applyDecision(unit, { issue, decision, note, by }, dependencies);
      const reopened = await findIssue(unit.db, issueId);
      return { kind: "reopened", issue: reopened ?? issue };
    });
}
