import type { Resolution } from "@keepsats/protocol";
import type { Platform } from "../../../platform/platform.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { Orders } from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import {
  type AppendEntries,
  accountKeyOf,
  readAccount,
  type StoredAccount,
} from "../journal/journal-repository.ts";
import { saveLoan } from "../loans/loan-repository.ts";
import { reopeningOf, resolutionOf } from "../rules/index.ts";
import { findIssue, type StoredIssue } from "./issue-repository.ts";
import type { IssueWriter } from "./issue-writer.ts";

/** The payment issue after the decision; `undefined` if there is none with the id. */
export type IssueOutcome =
  | { readonly issue: StoredIssue; readonly account: StoredAccount }
  | Refusal
  | undefined;

interface IssueDecision {
  readonly issueId: string;
  /** `undefined` reopens the issue: opposite entries undo its resolutions. */
  readonly resolution: Resolution | undefined;
  readonly note: string;
  readonly by: Actor;
}

export type DecideIssue = ReturnType<typeof createDecideIssue>;

/**
 * Resolves and reopens payment issues for staff. This takes the locks of a settlement, the loan and
 * the order, so that no payment arrives between its decision and its commit.
 */
export function createDecideIssue({
  database,
  changeStatuses,
  appendEntries,
  issues,
}: Pick<Platform, "database"> &
  Pick<Orders, "changeStatuses"> & {
    readonly appendEntries: AppendEntries;
    readonly issues: IssueWriter;
  }) {
  return ({ issueId, resolution, note, by }: IssueDecision) =>
    database.inTransaction(async (unit): Promise<IssueOutcome> => {
      const found = await findIssue(unit.db, issueId);
      if (found === undefined) return undefined;
      const { loanId, orderId } = found;
      await unit.lock(...(orderId === undefined ? [loanId] : [loanId, orderId]));
      const issue = (await findIssue(unit.db, issueId)) ?? found;
      const key = accountKeyOf(issue);
      const before = await readAccount(unit.db, key);
      if (resolution !== undefined && issue.resolution !== undefined) return resolvedAlready(issue);
      const decision =
        resolution === undefined
          ? reopeningOf(issue, before)
          : resolutionOf(issue, resolution, before);
      if (decision.kind === "refused") return decision;
      await issues.decide(unit, issue, { resolution, note, by });
      const { storedLoan, move } = decision;
      const entries = decision.entries.map((entry) => ({ ...entry, reason: note }));
      await appendEntries(unit, entries, by);
      if (storedLoan !== undefined) await saveLoan(unit, storedLoan);
      if (move !== undefined && orderId !== undefined) {
        // The note is the reason of the event that resolves the payment issue.
        const change = { orderId, to: move.to, by, reason: `loan ${loanId}: accepted` };
        const [outcome] = await changeStatuses(unit, [change]);
        if (outcome?.kind !== "changed") throw new Error(`the order could not become ${move.to}`);
      }
      const account = await issues.update(unit, key, by);
      return { issue: (await findIssue(unit.db, issueId)) ?? issue, account };
    });
}

function resolvedAlready({ resolution, resolvedBy, resolutionNote }: StoredIssue): Refusal {
  const detail = `The payment issue was resolved as ${resolution} by ${resolvedBy}: ${resolutionNote}`;
  return new Refusal("resolved_already", { detail });
}
