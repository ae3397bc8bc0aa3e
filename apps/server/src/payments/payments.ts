import type { OrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { type CheckTimes, createCheckContract } from "./check-contract.ts";
import type { LoanProvider } from "./loan-provider.ts";
import type { Mismatch } from "./mismatch.ts";
import { createReconciler, type Reconciler, type ReconcilerTimes } from "./reconciler.ts";
import { createSettle, type OrdersForSettlement } from "./settlement.ts";
import { createWatches, type Watches } from "./watches.ts";

/** When payments are looked at, in milliseconds (design: every 2 s while followed, back-off to 60 s, a sweep every 30 s). */
export const paymentTimes: CheckTimes & ReconcilerTimes = {
  followed: 2_000,
  absent: 5_000,
  longest: 60_000,
  unboundLife: 24 * 60 * 60_000,
  lease: 10_000,
  tick: 500,
  sweep: 30_000,
  sweepRetry: 5_000,
  keepAnswers: 7 * 24 * 60 * 60_000,
};

interface Dependencies extends OrdersForSettlement {
  readonly database: Database;
  readonly provider: LoanProvider;
  readonly now: Clock;
  readonly times: CheckTimes & ReconcilerTimes;
  readonly statusOf: (orderId: string) => Promise<OrderStatus | undefined>;
  readonly onMismatch: (contractId: string, orderId: string, mismatch: Mismatch) => void;
  readonly onError: (error: unknown) => void;
}

/** The payments feature: what watches contracts for followers, and what reconciles without them. */
export function createPayments(dependencies: Dependencies): { watches: Watches; reconciler: Reconciler } {
  const settle = createSettle(dependencies);
  const check = createCheckContract({ ...dependencies, settle });
  const { times, onError } = dependencies;
  return {
    watches: createWatches({ check, interval: times.followed, turn: times.tick, onError }),
    reconciler: createReconciler({ ...dependencies, settle, check }),
  };
}
