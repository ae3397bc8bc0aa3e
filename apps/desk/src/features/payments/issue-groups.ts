import type { IssueKind, PaymentIssue } from "@keepsats/protocol";

/**
 * One card of the screen: a payment issue, and the issues without money that name other orders for
 * the same loan.
 */
export interface IssueGroup {
  readonly issue: PaymentIssue;
  readonly related: readonly PaymentIssue[];
}

/** A loan can have this kind at several orders. Only one of these issues has its money. */
const GROUPED: IssueKind = "unknown-order";

/**
 * Groups the open payment issues of a loan around the one that has its money. The server resolves
 * them together.
 */
export function groupIssues(issues: readonly PaymentIssue[]): readonly IssueGroup[] {
  const byLoan = Map.groupBy(issues, ({ loan_id }) => loan_id);
  const isRelated = ({ loan_id, kind, amount, resolution }: PaymentIssue) =>
    resolution === null &&
    amount === null &&
    kind === GROUPED &&
    byLoan.get(loan_id)?.some((other) => other.amount !== null && other.resolution === null) ===
      true;
  return issues
    .filter((issue) => !isRelated(issue))
    .map((issue) => ({
      issue,
      related:
        issue.amount === null || issue.resolution !== null
          ? []
          : (byLoan.get(issue.loan_id) ?? []).filter(isRelated),
    }));
}
