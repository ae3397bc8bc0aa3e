import type { OrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { type CheckTimes, createCheckContract } from "./check-contract.ts";
import type { LoanProvider, NotUnderstood } from "./loan-provider.ts";
import { createReconciler, type Reconciler, type ReconcilerTimes } from "./reconciler.ts";
import type { OnMismatch } from "./record.ts";
import { createSettle, type OrdersForSettlement } from "./settlement.ts";
import { type SweepTimes, sweepInTurn } from "./sweep.ts";
import { createWatches, type Watches } from "./watches.ts";

/** When payments are looked at, in milliseconds. */
export type PaymentTimes = CheckTimes & ReconcilerTimes & SweepTimes;

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
  keepAnswers: 7 * 24 * 60 * 60_000,
};

interface Dependencies extends OrdersForSettlement {
  readonly database: Database;
  readonly provider: LoanProvider;
  /** The time, for what people read. */
  readonly now: Clock;
  /** The clock that all processes share, for what they do in turn. */
  readonly leaseNow: Clock;
  readonly times: PaymentTimes;
  readonly statusOf: (orderId: string) => Promise<OrderStatus | undefined>;
  readonly onMismatch: OnMismatch;
  readonly onNotUnderstood: (entries: readonly NotUnderstood[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The payments feature: what watches contracts for followers, and what reconciles without them. */
export function createPayments(dependencies: Dependencies): { watches: Watches; reconciler: Reconciler } {
  const { provider, times, onError } = dependencies;
  const settle = createSettle({
    ...dependencies,
    async askAgain(contractId) {
      const ask = await provider.takeQuestion(true);
      return ask === undefined ? { kind: "deferred" } : ask(contractId);
    },
  });
  const check = createCheckContract({ ...dependencies, settle });
  const sweep = () => sweepInTurn({ ...dependencies, settle });
  return {
    watches: createWatches({ check, interval: times.followed, turn: times.tick, onError }),
    reconciler: createReconciler({ ...dependencies, check, sweep }),
  };
}
