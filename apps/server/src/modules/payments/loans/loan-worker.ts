import type { Platform } from "../../../platform/platform.ts";
import { MINUTE, SECOND } from "../../../platform/scheduling/clock.ts";
import { createPeriodicWorker } from "../../../platform/scheduling/periodic-worker.ts";
import { CALLS_PER_SECOND } from "./call-budget.ts";
import type { CheckLoan, CheckResult, checkTimes, Presenter } from "./check-loan.ts";
import type { LoanCheckId } from "./loan-queue.ts";

/** In milliseconds. */
export const workerTimes = {
  /** The interval between two searches for due loans. */
  checkRoundInterval: 500,
  /** The interval between two attempts to take the lease of the sweep. */
  sweepCheckInterval: 5_000,
};

/** The longest interval between two checks of a loan that has subscribers, in milliseconds. */
const MAX_INTERVAL = MINUTE;
/** The largest random part of an interval. */
const MAX_JITTER = 0.25;

export type LoanWorker = ReturnType<typeof createLoanWorker>;

/**
 * Checks loans with subscribers at an interval, the due loans of the queue in the database, and all
 * loans by sweeps. A slow check delays no other, and no sweep.
 */
export function createLoanWorker({
  check,
  findDue,
  sweep,
  times,
  onError,
}: Pick<Platform, "onError"> & {
  readonly check: CheckLoan;
  readonly findDue: () => Promise<readonly LoanCheckId[]>;
  readonly sweep: () => Promise<unknown>;
  readonly times: typeof workerTimes & Pick<typeof checkTimes, "subscribedInterval">;
}) {
  /** The functions that end the watches. */
  const watches = new Set<() => void>();
  /** Those of loans that are bound to their orders. */
  const bound = new Set<() => void>();

  /**
   * With so many bound loans that the call budget is used up, their interval grows, so that checks
   * without a call do not load the database. The others are limited per client. Random: at equal
   * intervals, the same loans would always find a call left.
   */
  function waitOf(end: () => void): number {
    const share = bound.has(end) ? (bound.size / CALLS_PER_SECOND) * SECOND : 0;
    const interval = Math.max(times.subscribedInterval, Math.min(share, MAX_INTERVAL));
    return interval * (1 + MAX_JITTER * Math.random());
  }

  /**
   * Checks a loan at once, and then at an interval.
   *
   * @returns a function that ends the watch
   */
  function watch(
    key: LoanCheckId,
    presenter: Presenter,
    onResult: (result: CheckResult) => void,
  ): () => void {
    let timer: NodeJS.Timeout | undefined;
    let hasEnded = false;

    async function checkAndRepeat(): Promise<void> {
      try {
        const result = await check(key, presenter);
        if (hasEnded) return;
        onResult(result);
        if (result.isDone) return end();
        if (result.isBound) bound.add(end);
      } catch (error) {
        onError(error);
      }
      if (!hasEnded) timer = setTimeout(checkAndRepeat, waitOf(end));
    }

    function end(): void {
      hasEnded = true;
      clearTimeout(timer);
      watches.delete(end);
      bound.delete(end);
    }

    watches.add(end);
    void checkAndRepeat();
    return end;
  }

  async function checkDue(): Promise<void> {
    const due = await findDue();
    await Promise.all(due.map((key) => check(key, { client: "the shop", holdsKey: false })));
  }

  const loops = [
    createPeriodicWorker(checkDue, times.checkRoundInterval, onError),
    createPeriodicWorker(sweep, times.sweepCheckInterval, onError),
  ];
  return {
    watch,
    start(): void {
      for (const loop of loops) loop.start();
    },
    async stop(): Promise<void> {
      for (const end of watches) end();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
