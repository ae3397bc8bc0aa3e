import type { Resolution } from "@keepsats/protocol";
import type { Database, UnitOfWork } from "../../../platform/database/database.ts";
import type { ChangeStatuses } from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import {
  type AppendEntries,
  accountKeyOf,
  readAccount,
  type StoredAccount,
} from "../journal/journal-repository.ts";
import { saveLoan } from "../loans/loan-repository.ts";
import {
  type ReopeningRefusal,
  type ResolutionRefusal,
  reopeningOf,
  resolutionOf,
  type StaffDecision,
} from "../rules.ts";
import { findIssue, type StoredIssue } from "./issue-repository.ts";
import type { IssueWriter } from "./issue-writer.ts";

export interface IssueWithAccount {
  readonly issue: StoredIssue;
  readonly account: StoredAccount;
}

export interface IssueToResolve {
  readonly issueId: string;
  readonly resolution: Resolution;
  readonly note: string;
  readonly by: Actor;
}

/** All but `resolved` change nothing. */
export type ResolutionOutcome =
  | ({ readonly kind: "resolved" } & IssueWithAccount)
  | { readonly kind: "resolved-already"; readonly issue: StoredIssue }
  | { readonly kind: "not-found" }
  | ResolutionRefusal;

export type ResolveIssue = (request: IssueToResolve) => Promise<ResolutionOutcome>;

/** All but `reopened` change nothing. */
export type ReopeningOutcome =
  | ({ readonly kind: "reopened" } & IssueWithAccount)
  | { readonly kind: "not-found" }
  | ReopeningRefusal;

export type ReopenIssue = (
  request: Omit<IssueToResolve, "resolution">,
) => Promise<ReopeningOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly appendEntries: AppendEntries;
  readonly issues: IssueWriter;
  readonly changeStatuses: ChangeStatuses;
}

/**
 * Resolving takes the locks of a settlement: the loan and the order. So no payment arrives between
 * its decision and its commit.
 */
export function createResolveIssue(dependencies: Dependencies): ResolveIssue {
  const { database, issues } = dependencies;
  return ({ issueId, resolution, note, by }) =>
    database.inTransaction(async (unit): Promise<ResolutionOutcome> => {
      const locked = await lockIssue(unit, issueId);
      if (locked === undefined) return { kind: "not-found" };
      const { issue, account } = locked;
      if (issue.resolution !== undefined) return { kind: "resolved-already", issue };
      const decision = resolutionOf(issue, resolution, account);
      if (decision.kind !== "decided") return decision;
      await issues.resolve(unit, issue, { resolution, note, by });
      const decided = await apply(unit, { issue, decision, note, by }, dependencies);
      return { kind: "resolved", ...decided };
    });
}

/** Reopening undoes the resolutions of an issue by opposite entries. */
export function createReopenIssue(dependencies: Dependencies): ReopenIssue {
  const { database, issues } = dependencies;
  return ({ issueId, note, by }) =>
    database.inTransaction(async (unit): Promise<ReopeningOutcome> => {
      const locked = await lockIssue(unit, issueId);
      if (locked === undefined) return { kind: "not-found" };
      const { issue, account } = locked;
      const decision = reopeningOf(issue, account);
      if (decision.kind !== "decided") return decision;
      await issues.reopen(unit, issue, { note, by });
      const decided = await apply(unit, { issue, decision, note, by }, dependencies);
      return { kind: "reopened", ...decided };
    });
}

async function lockIssue(unit: UnitOfWork, issueId: string): Promise<IssueWithAccount | undefined> {
  const found = await findIssue(unit.db, issueId);
  if (found === undefined) return undefined;
  const { loanId, orderId } = found;
  await unit.lock(...(orderId === undefined ? [loanId] : [loanId, orderId]));
  const issue = (await findIssue(unit.db, issueId)) ?? found;
  return { issue, account: await readAccount(unit.db, accountKeyOf(issue)) };
}

interface DecisionToStore {
  readonly issue: StoredIssue;
  readonly decision: StaffDecision;
  readonly note: string;
  readonly by: Actor;
}

async function apply(
  unit: UnitOfWork,
  { issue, decision: { entries, storedLoan, move }, note, by }: DecisionToStore,
  { appendEntries, changeStatuses, issues }: Dependencies,
): Promise<IssueWithAccount> {
  const noted = entries.map((entry) => ({ ...entry, reason: note }));
  await appendEntries(unit, noted, by);
  if (storedLoan !== undefined) await saveLoan(unit, storedLoan);
  const { id, loanId, orderId } = issue;
  if (move !== undefined && orderId !== undefined) {
    // The note is the reason of the event that resolves the payment issue.
    const change = { orderId, to: move.to, by, reason: `loan ${loanId}: accepted` };
    const [outcome] = await changeStatuses(unit, [change]);
    if (outcome?.kind !== "changed") throw new Error(`the order could not become ${move.to}`);
  }
  const account = await issues.update(unit, accountKeyOf(issue), by);
  return { issue: (await findIssue(unit.db, id)) ?? issue, account };
}
