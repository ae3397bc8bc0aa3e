import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { StoredStatus } from "../orders/index.ts";
import type { Announce } from "../outbox/outbox.ts";
import { type CancelOrder, createCancelOrder } from "./cancel-order.ts";
import type { EraseTimes } from "./erase-old-orders.ts";
import type { ExpiryTimes } from "./expire-orders.ts";
import type { Loan, NotUnderstood } from "./loan.ts";
import type { Answer, LoanProvider } from "./loan-provider.ts";
import { type CheckTimes, createCheckLoan } from "./loans/check-loan.ts";
import { findDueLoans } from "./loans/loan-queue.ts";
import { createLoanWorker, type LoanWorker, type WorkerTimes } from "./loans/loan-worker.ts";
import { type SweepTimes, sweepInTurn } from "./loans/sweep.ts";
import type { OnIssue } from "./record.ts";
import { createSettle, type OrderMoves } from "./settlement.ts";

/** When loans are checked and swept, and orders expire, in milliseconds. */
export type PaymentTimes = CheckTimes & WorkerTimes & SweepTimes & ExpiryTimes & EraseTimes;

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
  eraseTick: 60_000,
  erasePass: 60 * 60_000,
  erasePause: 20,
  expiryPause: 20,
};

interface Dependencies extends OrderMoves {
  readonly database: Database;
  readonly provider: LoanProvider;
  /** The clock for times that people read. */
  readonly now: Clock;
  /** The clock that all processes share. It is used for leases. */
  readonly leaseNow: Clock;
  readonly times: PaymentTimes;
  readonly statusOf: (orderId: string) => Promise<StoredStatus | undefined>;
  readonly announce: Announce;
  readonly onIssue: OnIssue;
  readonly onNotUnderstood: (
    entries: readonly NotUnderstood[],
    mostRecorded: number,
  ) => Promise<void>;
  readonly onSweepComplete?: (began: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * The number of tries to take a call that a settlement needs, and the interval between them in
 * milliseconds.
 */
const TRIES = 10;
const RETRY_INTERVAL = 300;

/** Asks about a loan. Retries for a few seconds while no call is left in the budget. */
async function askWithRetry(provider: LoanProvider, loanId: string): Promise<Answer<Loan>> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ask = await provider.takeQuestion(true);
    if (ask !== undefined) return ask(loanId);
    await pause(RETRY_INTERVAL, undefined, { ref: false });
  }
  return { kind: "deferred" };
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
} {
  const { database, provider, leaseNow } = dependencies;
  const settle = createSettle({
    ...dependencies,
    askAgain: (loanId) => askWithRetry(provider, loanId),
  });
  const check = createCheckLoan({ ...dependencies, settle });
  return {
    loanWorker: createLoanWorker({
      ...dependencies,
      check,
      findDue: () => findDueLoans(database.db, leaseNow(), DUE_AT_ONCE),
      sweep: () => sweepInTurn({ ...dependencies, settle }),
    }),
    cancelOrder: createCancelOrder({ ...dependencies, check }),
  };
}
