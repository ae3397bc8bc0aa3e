export { GROUP, type OrderPlace, type Part, readByStatus } from "./by-status.ts";
export type { CancelOrder } from "./cancelling/cancel-order.ts";
export type { LoanUnderWay, MoveOrder } from "./cancelling/move-order.ts";
export {
  createReplaceOrder,
  type NotCancelled,
  type ReplaceOrder,
} from "./cancelling/replace-order.ts";
export { type ClockAhead, isClockRight } from "./clock-guard.ts";
export { createExpireOrders } from "./expiry/expire-orders.ts";
export { readLastExpiry } from "./expiry/expiry-state.ts";
export { type FollowedOrder, findFollowedOrders } from "./followed-orders.ts";
export { createIssueRecords, type OnIssue } from "./issues/issue-records.ts";
export {
  countIssues,
  findIssue,
  listIssues,
  type StoredIssue,
} from "./issues/issue-repository.ts";
export { createReconcile, createReconcileIssues } from "./issues/reconcile.ts";
export { createRecordNotUnderstood } from "./issues/record-not-understood.ts";
export {
  createReopenIssue,
  type ReopenIssue,
  type ReopeningOutcome,
} from "./issues/reopen-issue.ts";
export {
  createResolveIssue,
  type ResolutionOutcome,
  type ResolveIssue,
} from "./issues/resolve-issue.ts";
export {
  accountOf,
  createAppendEntries,
  readAccount,
  readAccountOf,
  readAccounts,
  readLoanAccounts,
  type StoredAccount,
  type StoredEntry,
} from "./journal/journal-repository.ts";
export { readRefundsDue } from "./journal/refunds-due.ts";
export { type CurrentUser, createCurrentUser } from "./lender-account.ts";
export type { NotUnderstood } from "./loan.ts";
export { createLoanProvider } from "./loan-provider.ts";
export type { Answer, ConnectProvider } from "./loan-provider-api.ts";
export {
  createCallBudget,
  createSharedCallBudget,
} from "./loans/call-budget.ts";
export type { CheckResult, Presenter } from "./loans/check-loan.ts";
export { overdueBy } from "./loans/loan-queue.ts";
export type { LoanWorker } from "./loans/loan-worker.ts";
export { readSweepState } from "./loans/sweep.ts";
export { findOrderHistory, type OrderHistory } from "./order-history.ts";
export { createPasses } from "./passes.ts";
export { createPayments, type PaymentTimes, paymentTimes } from "./payments.ts";
export { type ProviderState, readProviderState, writeProviderState } from "./provider-state.ts";
export {
  createRecordRefund,
  type RecordRefund,
  type RefundedAccount,
} from "./refunds/record-refund.ts";
export { createReverseRefund, type ReverseRefund } from "./refunds/reverse-refund.ts";
export { extensionsAmong, type LoanMoney, moneyByLoan, openLoansOf } from "./rules.ts";
