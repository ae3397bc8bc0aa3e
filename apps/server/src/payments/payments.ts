import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Loop } from "../loop.ts";
import type { StoredStatus } from "../orders/index.ts";
import type { Announce } from "../outbox/outbox.ts";
import { type CancelOrder, createCancelOrder } from "./cancel-order.ts";
import { type CheckTimes, createCheckLoan } from "./check-loan.ts";
import type { EraseTimes } from "./erase-old-orders.ts";
import type { ExpiryTimes } from "./expire-orders.ts";
import type { Loan, NotUnderstood } from "./loan.ts";
import type { Answer, LoanProvider } from "./loan-provider.ts";
import { createReconciler, type ReconcilerTimes } from "./reconciler.ts";
import type { OnMismatch } from "./record.ts";
import { createSettle, type OrderMoves } from "./settlement.ts";
import { type SweepTimes, sweepInTurn } from "./sweep.ts";
import { createWatches, type Watches } from "./watches.ts";

/** When loans are checked and swept, and orders expire, in milliseconds. */
export type PaymentTimes = CheckTimes & ReconcilerTimes & SweepTimes & ExpiryTimes & EraseTimes;

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
  readonly onMismatch: OnMismatch;
  readonly onNotUnderstood: (
    entries: readonly NotUnderstood[],
    mostRecorded: number,
  ) => Promise<void>;
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

/**
 * Creates the payments feature: watches check followed loans, and the reconciler checks and sweeps
 * the loans without followers. A cancellation by the shopper checks the order's loans first.
 */
export function createPayments(dependencies: Dependencies): {
  watches: Watches;
  reconciler: Loop;
  cancelOrder: CancelOrder;
} {
  const { provider, times, onError } = dependencies;
  const settle = createSettle({
    ...dependencies,
    askAgain: (loanId) => askWithRetry(provider, loanId),
  });
  const check = createCheckLoan({ ...dependencies, settle });
  const sweep = () => sweepInTurn({ ...dependencies, settle });
  return {
    watches: createWatches({ check, interval: times.followed, roundInterval: times.tick, onError }),
    cancelOrder: createCancelOrder({ ...dependencies, check }),
    reconciler: createReconciler({ ...dependencies, check, sweep }),
  };
}
