export { createCallBudget, createSharedCallBudget } from "./call-budget.ts";
export { overdueBy } from "./check-repository.ts";
export type { CheckResult } from "./check-result.ts";
export { type FollowedOrder, findFollowedOrders } from "./followed-orders.ts";
export { type CurrentUser, createCurrentUser } from "./lender-account.ts";
export type { NotUnderstood } from "./loan.ts";
export { type Answer, createLoanProvider } from "./loan-provider.ts";
export type { ConnectProvider } from "./loan-provider-api.ts";
export { meaningOf } from "./loan-repository.ts";
export { countMismatches, listMismatches } from "./mismatch-repository.ts";
export { createMoveOrder, type MoveOrder } from "./move-order.ts";
export { findOrderHistory, type OrderHistory } from "./order-history.ts";
export { createPayments, type PaymentTimes, paymentTimes } from "./payments.ts";
export { type ProviderState, readProviderState, writeProviderState } from "./provider-state.ts";
export {
  createRecordNotUnderstood,
  createRecordRefundsOwed,
  type OnMismatch,
} from "./record.ts";
export { readSweepState } from "./sweep-state.ts";
export type { Watches } from "./watches.ts";
