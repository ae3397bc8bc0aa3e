import type { Platform } from "../../../platform/platform.ts";
import { createPeriodicWorker } from "../../../platform/scheduling/periodic-worker.ts";
import type { CheckLoan, CheckResult, checkTimes, Presenter } from "./check-loan.ts";
import type { LoanCheckId } from "./loan-queue.ts";

/** In milliseconds. */
export const workerTimes = {
  /** The interval between two rounds of waiting loans, and between two searches for due ones. */
  checkRoundInterval: 500,
  /** The interval between two attempts to take the lease of the sweep. */
  sweepCheckInterval: 5_000,
};

/** The concurrent checks of waiting loans in each round. */
const MAX_CONCURRENT_CHECKS = 20;

interface Watch {
  readonly key: LoanCheckId;
  readonly presenter: Presenter;
  readonly onResult: (result: CheckResult) => void;
  timer: NodeJS.Timeout | undefined;
  isChecking: boolean;
  /**
   * Whether it may wait for a call. A loan that is not bound, because another process may bind it,
   * or whose subscribers see that the provider is unreachable, is checked at the interval instead,
   * so that its page is updated soon.
   */
  mayWait: boolean;
  hasEnded: boolean;
}

export type LoanWorker = ReturnType<typeof createLoanWorker>;

/**
 * Checks loans with subscribers at an interval, the due loans of the queue in the database, and all
 * loans by sweeps.
 *
 * When more loans have subscribers than the call budget allows, bound loans wait, those with the
 * order's key before the others. A waiting loan costs no query, and its subscribers still receive
 * all other changes of the order. Slow checks delay no round and no sweep.
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
  const watches = new Set<Watch>();
  /** In the order in which they began to wait. */
  const waiting = new Set<Watch>();
  let roundTimer: NodeJS.Timeout | undefined;
  let round = 0;

  function* inTurn(): Generator<Watch> {
    for (const holdsKey of [true, false])
      for (const watch of waiting) if (watch.presenter.holdsKey === holdsKey) yield watch;
  }

  /** @returns whether a call may be left in the budget for another loan */
  async function checkNow(watch: Watch): Promise<boolean> {
    watch.isChecking = true;
    const result = await checkOnce(watch);
    watch.isChecking = false;
    if (watch.hasEnded) return true;
    if (result?.isDone === true) {
      end(watch);
      return true;
    }
    if (result?.isDeferred === true && watch.mayWait) {
      wait(watch);
      return false;
    }
    // A failed check stops waiting too, so that it does not block others.
    waiting.delete(watch);
    watch.timer = setTimeout(() => {
      if (watch.mayWait && waiting.size > 0) wait(watch);
      else void checkNow(watch);
    }, times.subscribedInterval);
    return result?.isDeferred === false;
  }

  async function checkOnce(watch: Watch): Promise<CheckResult | undefined> {
    try {
      const result = await check(watch.key, watch.presenter);
      watch.mayWait = result.isBound && result.finding !== "unreachable";
      if (!watch.hasEnded) watch.onResult(result);
      return result;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /** A loan that already waits keeps its place. */
  function wait(watch: Watch): void {
    waiting.add(watch);
    roundTimer ??= setTimeout(startRound, times.checkRoundInterval);
  }

  function startRound(): void {
    round += 1;
    roundTimer = waiting.size > 0 ? setTimeout(startRound, times.checkRoundInterval) : undefined;
    for (let count = 0; count < MAX_CONCURRENT_CHECKS; count += 1) void checkWaiting();
  }

  /** Checks one waiting loan after another while calls may be left, until the next round begins. */
  async function checkWaiting(): Promise<void> {
    const thisRound = round;
    for (const watch of inTurn()) {
      if (watch.isChecking) continue;
      if (!(await checkNow(watch)) || round !== thisRound) return;
    }
  }

  function end(watch: Watch): void {
    watch.hasEnded = true;
    clearTimeout(watch.timer);
    watches.delete(watch);
    waiting.delete(watch);
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
    /**
     * Checks a loan at once, and then at an interval or when its turn comes.
     *
     * @returns a function that ends the watch
     */
    watch(
      key: LoanCheckId,
      presenter: Presenter,
      onResult: (result: CheckResult) => void,
    ): () => void {
      const watch: Watch = {
        key,
        presenter,
        onResult,
        timer: undefined,
        isChecking: false,
        mayWait: false,
        hasEnded: false,
      };
      watches.add(watch);
      void checkNow(watch);
      return () => end(watch);
    },
    start(): void {
      for (const loop of loops) loop.start();
    },
    async stop(): Promise<void> {
      for (const watch of watches) end(watch);
      clearTimeout(roundTimer);
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
