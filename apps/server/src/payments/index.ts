export type { CancelOrder } from "./cancel-order.ts";
export type { ClockAhead } from "./clock-guard.ts";
export { createEraseOldOrders } from "./erase-old-orders.ts";
export { createEraseOrder, type EraseOrder } from "./erase-order.ts";
export { createExpireOrders } from "./expire-orders.ts";
export { readLastExpiry } from "./expiry-state.ts";
export { type FollowedOrder, findFollowedOrders } from "./followed-orders.ts";
export { idOfIssue, keyOfIssue } from "./issue-id.ts";
export {
  countIssues,
  countRefundsDue,
  findIssue,
  listIssues,
  type StoredIssue,
} from "./issue-repository.ts";
export { type Books, type Ledger, type LedgerEntry, refundDueFor } from "./ledger.ts";
export { findBooks, findBooksFor, findLedger, refundedFor } from "./ledger-repository.ts";
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
export { createMoveOrder, type MoveOrder } from "./move-order.ts";
export { fromOpaqueText, storableText, toOpaqueText } from "./opaque-text.ts";
export { findOrderHistory, type OrderHistory } from "./order-history.ts";
export { createPayments, type PaymentTimes, paymentTimes } from "./payments.ts";
export { type ProviderState, readProviderState, writeProviderState } from "./provider-state.ts";
export {
  createRecordNotUnderstood,
  createRecordRefundsDue,
  type OnIssue,
} from "./record.ts";
export { createRecordRefund, type RecordRefund } from "./record-refund.ts";
export { createReplaceOrder, type NotCancelled, type ReplaceOrder } from "./replace-order.ts";
export {
  createResolveIssue,
  type ResolutionOutcome,
  type ResolveIssue,
} from "./resolve-issue.ts";
