import type { CheckLoan, Presenter } from "./check-loan.ts";
import type { CheckKey } from "./check-repository.ts";
import type { CheckResult } from "./check-result.ts";

/** Checks loans repeatedly while they have followers. */
export interface Watches {
  /**
   * Checks a loan at once, and then at an interval or when it reaches the head of the queue.
   *
   * @param presenter called before each check; returns the loan's current presenter
   * @param onResult called with the result of each check
   * @returns a function that ends the watch
   */
  watch(
    key: CheckKey,
    presenter: () => Presenter | undefined,
    onResult: (result: CheckResult) => void,
  ): () => void;
  close(): void;
}

interface Options {
  readonly check: CheckLoan;
  /** The interval between two checks of a loan, in milliseconds. */
  readonly interval: number;
  /** The interval between two rounds of the queue, in milliseconds. */
  readonly roundInterval: number;
  readonly onError: (error: unknown) => void;
}

/** How many workers check queued loans in each round. */
const WORKERS = 20;

interface Watch {
  readonly key: CheckKey;
  readonly presenter: () => Presenter | undefined;
  readonly onResult: (result: CheckResult) => void;
  timer: NodeJS.Timeout | undefined;
  checking: boolean;
  /** Set by the last check; see {@link mayWait}. */
  mayWait: boolean;
  ended: boolean;
}

/**
 * Whether a loan may wait in the queue. A loan that is not bound, or whose shopper was told that
 * the provider is unreachable, is checked at the interval instead, so that its page is updated
 * soon.
 */
function mayWait({ bound, finding }: CheckResult): boolean {
  return bound && finding !== "unreachable";
}

/**
 * Creates {@link Watches}. When more loans are followed than the call budget allows, bound loans
 * wait in a queue. A queued loan costs no query, and its followers still receive all other changes
 * of the order.
 */
export function createWatches({ check, interval, roundInterval, onError }: Options): Watches {
  const watches = new Set<Watch>();
  const queue = new Set<Watch>();
  let roundTimer: NodeJS.Timeout | undefined;
  let round = 0;

  /** @returns whether a call may be left in the budget for another loan */
  async function checkNow(watch: Watch): Promise<boolean> {
    watch.checking = true;
    const result = await checkOnce(watch);
    watch.checking = false;
    if (watch.ended) return true;
    if (result?.done === true) {
      end(watch);
      return true;
    }
    if (result?.deferred === true && watch.mayWait) {
      enqueue(watch);
      return false;
    }
    // A failed check leaves the queue too, so that it does not block others.
    queue.delete(watch);
    watch.timer = setTimeout(() => checkAgain(watch), interval);
    return result?.deferred === false;
  }

  async function checkOnce(watch: Watch): Promise<CheckResult | undefined> {
    try {
      const result = await check(watch.key, watch.presenter());
      watch.mayWait = mayWait(result);
      if (!watch.ended) watch.onResult(result);
      return result;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  function checkAgain(watch: Watch): void {
    if (watch.mayWait && queue.size > 0) enqueue(watch);
    else void checkNow(watch);
  }

  /** Adds a watch to the end of the queue; one that is queued already keeps its place. */
  function enqueue(watch: Watch): void {
    queue.add(watch);
    roundTimer ??= setTimeout(startRound, roundInterval);
  }

  /**
   * Starts the workers at the head of the queue. They skip watches whose check is still running.
   */
  function startRound(): void {
    round += 1;
    roundTimer = queue.size > 0 ? setTimeout(startRound, roundInterval) : undefined;
    for (let worker = 0; worker < WORKERS; worker += 1) void checkQueued();
  }

  /** Checks one watch after another while calls may be left, until the next round begins. */
  async function checkQueued(): Promise<void> {
    const thisRound = round;
    for (const watch of queue) {
      if (watch.checking) continue;
      if (!(await checkNow(watch)) || round !== thisRound) return;
    }
  }

  function end(watch: Watch): void {
    watch.ended = true;
    clearTimeout(watch.timer);
    watches.delete(watch);
    queue.delete(watch);
  }

  return {
    watch(key, presenter, onResult) {
      const watch: Watch = {
        key,
        presenter,
        onResult,
        timer: undefined,
        checking: false,
        mayWait: false,
        ended: false,
      };
      watches.add(watch);
      void checkNow(watch);
      return () => end(watch);
    },
    close() {
      for (const watch of watches) end(watch);
      clearTimeout(roundTimer);
    },
  };
}
