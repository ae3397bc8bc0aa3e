import type { Resolution } from "@keepsats/protocol";
import type { Database, UnitOfWork } from "../../db/database.ts";
import type { Actor, ChangeStatuses } from "../../orders/index.ts";
import { type AppendEntries, accountOf, readAccountOf } from "../journal/journal-repository.ts";
import { saveLoan } from "../loan-repository.ts";
import { type Decided, type ResolutionRefusal, resolutionOf } from "../rules.ts";
import type { IssueRecords } from "./issue-records.ts";
import { findIssue, type StoredIssue } from "./issue-repository.ts";
import type { Reconcile } from "./reconcile.ts";

/** What staff decide about a payment issue. */
export interface ResolutionRequest {
  readonly issueId: string;
  readonly resolution: Resolution;
  readonly note: string;
  readonly by: Actor;
}

/** The outcome of a {@link ResolutionRequest}; all but `resolved` change nothing. */
export type ResolutionOutcome =
  | { readonly kind: "resolved"; readonly issue: StoredIssue }
  | { readonly kind: "resolved-already"; readonly issue: StoredIssue }
  | { readonly kind: "not-found" }
  | ResolutionRefusal;

export type ResolveIssue = (request: ResolutionRequest) => Promise<ResolutionOutcome>;

export interface DecisionDependencies {
  readonly database: Database;
  readonly appendEntries: AppendEntries;
  readonly records: IssueRecords;
  readonly changeStatuses: ChangeStatuses;
  readonly reconcile: Reconcile;
}

/**
 * Creates the function that resolves payment issues. It takes the locks of a settlement: the loan
 * and the order. So no payment arrives between its decision and its commit.
 */
export function createResolveIssue(dependencies: DecisionDependencies): ResolveIssue {
  const { database, records } = dependencies;
  return ({ issueId, resolution, note, by }) =>
    database.inTransaction(async (unit): Promise<ResolutionOutcome> => {
      const issue = await lockIssue(unit, issueId);
      if (issue === undefined) return { kind: "not-found" };
      if (issue.resolution !== undefined) return { kind: "resolved-already", issue };
      const account = await readAccountOf(unit.db, accountOf(issue));
      const decision = resolutionOf(issue, resolution, account);
      if (decision.kind !== "decided") return decision;
      await records.resolve(unit, issue, { resolution, note, by });
      await applyDecision(unit, { issue, decision, note, by }, dependencies);
      const resolved = await findIssue(unit.db, issueId);
      return { kind: "resolved", issue: resolved ?? issue };
    });
}

/** Locks the loan and the order of a payment issue, and reads it; `undefined` if there is none. */
export async function lockIssue(
  unit: UnitOfWork,
  issueId: string,
): Promise<StoredIssue | undefined> {
  const issue = await findIssue(unit.db, issueId);
  if (issue === undefined) return undefined;
  const { loanId, orderId } = issue;
  await unit.lock(...(orderId === undefined ? [loanId] : [loanId, orderId]));
  return findIssue(unit.db, issueId);
}

interface StaffDecision {
  readonly issue: StoredIssue;
  readonly decision: Decided;
  readonly note: string;
  readonly by: Actor;
}

/** Stores what follows from a decision of staff about a payment issue. */
export async function applyDecision(
  unit: UnitOfWork,
  { issue, decision: { entries, store, move }, note, by }: StaffDecision,
  { appendEntries, changeStatuses, reconcile }: DecisionDependencies,
): Promise<void> {
  await appendEntries(
    unit,
    entries.map((entry) => ({ ...entry, reason: note })),
    by,
  );
  if (store !== undefined) await saveLoan(unit, store);
  const { loanId, orderId } = issue;
  if (move?.kind === "to" && orderId !== undefined) {
    // The note is the reason of the event that resolves the payment issue.
    const change = { orderId, to: move.to, by, reason: `loan ${loanId}: accepted` };
    const [outcome] = await changeStatuses(unit, [change]);
    if (outcome?.kind !== "changed") throw new Error(`the order could not become ${move.to}`);
  }
  await reconcile(unit, accountOf(issue), by);
}
