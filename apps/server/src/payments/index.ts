export { createCallBudget, createSharedCallBudget } from "./call-budget.ts";
export { overdueBy } from "./check-repository.ts";
export {
  contractsOf,
  countMismatches,
  listMismatches,
  mismatchesOf,
  payingContracts,
} from "./contract-repository.ts";
export { type CurrentUser, createCurrentUser } from "./lender-account.ts";
export { type Answer, createLoanProvider, type NotUnderstood } from "./loan-provider.ts";
export { createPayments, type PaymentTimes, paymentTimes } from "./payments.ts";
export { readProviderState, writeProviderState } from "./provider-state.ts";
export {
  createRecordNotUnderstood,
  createRecordRefundsOwed,
  type OnMismatch,
  type RecordRefundsOwed,
} from "./record.ts";
export { readSweepState } from "./sweep-state.ts";
