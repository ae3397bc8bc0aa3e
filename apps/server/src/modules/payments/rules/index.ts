// Every rule about what a loan and a decision of staff mean for an order and its journal, as pure
// functions. docs/changing.md, "A rule about loans or money", says which file has which rule, and
// what else to change. Other folders import the rules from here only.
export { consequencesOf } from "./consequences.ts";
export { reopeningOf, resolutionOf, type StaffDecision } from "./decisions.ts";
export { extensionEntries, extensionsAmong, isPresumptionOver } from "./extensions.ts";
export { type IssueKey, isSameIssue, issueChanges } from "./issues.ts";
export { type LoanMoney, moneyByLoan } from "./loan-money.ts";
export { cancellationOf, moveOnceDecided, openLoansOf } from "./moves.ts";
export {
  type NewRefund,
  refundIdReused,
  refundOf,
  refundReversalOf,
  UNKNOWN_REFUND,
} from "./refunds.ts";
export { lentBy } from "./reports.ts";
export {
  type AccountEntry,
  type Consequences,
  type KnownIssue,
  type Loan,
  type LoanAccount,
  type Move,
  type NewEntry,
  type NewIssue,
  newEntry,
  type PayoutReport,
  type ReportFacts,
  type StoredLoan,
} from "./types.ts";
