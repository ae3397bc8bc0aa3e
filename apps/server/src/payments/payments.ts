import { setTimeout as pause } from "node:timers/promises";
import type { OrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { type CheckTimes, createCheckContract } from "./check-contract.ts";
import type { Answer, LoanProvider, NotUnderstood, ProviderContract } from "./loan-provider.ts";
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
  readonly onNotUnderstood: (entries: readonly NotUnderstood[], mostRecorded: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** How often, and how long apart (in milliseconds), a question is tried that a decision waits for. */
const TRIES = 10;
const TRY_AGAIN = 300;

/** Asks about a contract, and waits for a few seconds where no question can be spared at once. */
async function askPatiently(provider: LoanProvider, contractId: string): Promise<Answer<ProviderContract>> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ask = await provider.takeQuestion(true);
    if (ask !== undefined) return ask(contractId);
    await pause(TRY_AGAIN, undefined, { ref: false });
  }
  return { kind: "deferred" };
}

/** The payments feature: what watches contracts for followers, and what reconciles without them. */
export function createPayments(dependencies: Dependencies): { watches: Watches; reconciler: Reconciler } {
  const { provider, times, onError } = dependencies;
  const settle = createSettle({
    ...dependencies,
    askAgain: (contractId) => askPatiently(provider, contractId),
  });
  const check = createCheckContract({ ...dependencies, settle });
  const sweep = () => sweepInTurn({ ...dependencies, settle });
  return {
    watches: createWatches({ check, interval: times.followed, turn: times.tick, onError }),
    reconciler: createReconciler({ ...dependencies, check, sweep }),
  };
}
