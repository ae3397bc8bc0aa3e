import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { StoredStatus } from "../orders/index.ts";
import { type CancelOrder, createCancelOrder } from "./cancelling/cancel-order.ts";
import { createAskAboutLoans } from "./cancelling/known-loans.ts";
import { createMoveOrder, type MoveOrder } from "./cancelling/move-order.ts";
import type { ExpiryTimes } from "./expiry/expire-orders.ts";
import type { Reconcile } from "./issues/reconcile.ts";
import type { NotUnderstood } from "./loan.ts";
import type { LoanProvider } from "./loan-provider.ts";
import { type CheckTimes, createCheckLoan } from "./loans/check-loan.ts";
import { findDueLoans } from "./loans/loan-queue.ts";
import { createLoanWorker, type LoanWorker, type WorkerTimes } from "./loans/loan-worker.ts";
import { createEndPresumptions } from "./loans/presumed-extensions.ts";
import { type SweepTimes, sweepInTurn } from "./loans/sweep.ts";
import { createSettle, type MoneyRecords, type OrderMoves } from "./settlement.ts";

/** When loans are checked and swept, and orders expire, in milliseconds. */
export type PaymentTimes = CheckTimes & WorkerTimes & SweepTimes & ExpiryTimes;

export const paymentTimes: PaymentTimes = {
  followed: 2_000,
  absent: 5_000,
  absentLongest: 60_000,
  unfollowed: 15_000,
  longest: 60 * 60_000,
  unboundLife: 24 * 60 * 60_000,
  lease: 10_000,
  tick: 500,
  sweepTick: 5_000,
  sweep: 30_000,
  sweepLongest: 5 * 60_000,
  sweepRetry: 5_000,
  sweepLease: 30_000,
  expiryTick: 10_000,
  expiryPass: 60_000,
  expiryLongest: 15 * 60_000,
  expiryPause: 20,
};

interface Dependencies extends OrderMoves, MoneyRecords {
  readonly database: Database;
  readonly provider: LoanProvider;
  /** The clock for times that people read. */
  readonly now: Clock;
  /** The clock that all processes share. It is used for leases. */
  readonly leaseNow: Clock;
  readonly times: PaymentTimes;
  readonly statusOf: (orderId: string) => Promise<StoredStatus | undefined>;
  readonly reconcile: Reconcile;
  /** Called once for each loan whose time of change is in the future. */
  readonly onFutureTime: (loanId: string, time: number) => void;
  readonly onNotUnderstood: (
    entries: readonly NotUnderstood[],
    mostRecorded: number,
  ) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** How many due loans are checked at the same time: of bound ones, and of the others. */
const DUE_AT_ONCE = 5;

/**
 * Creates the payments feature: the worker that checks loans, and the cancellation by the customer,
 * which checks the order's loans first.
 */
export function createPayments(dependencies: Dependencies): {
  loanWorker: LoanWorker;
  cancelOrder: CancelOrder;
  moveOrder: MoveOrder;
} {
  const { database, leaseNow } = dependencies;
  const settle = createSettle(dependencies);
  const check = createCheckLoan({ ...dependencies, settle });
  const askAboutLoans = createAskAboutLoans({ db: database.db, check });
  const onSweepComplete = createEndPresumptions(dependencies);
  return {
    loanWorker: createLoanWorker({
      ...dependencies,
      check,
      findDue: () => findDueLoans(database.db, leaseNow(), DUE_AT_ONCE),
      sweep: () => sweepInTurn({ ...dependencies, settle, onSweepComplete }),
    }),
    cancelOrder: createCancelOrder({ ...dependencies, askAboutLoans }),
    moveOrder: createMoveOrder({ ...dependencies, askAboutLoans }),
  };
}
