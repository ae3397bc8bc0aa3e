import type { CheckLoan } from "./check-loan.ts";
import type { CheckKey } from "./check-repository.ts";
import type { CheckResult } from "./check-result.ts";

/** Checks loans again and again for as long as somebody follows them. */
export interface Watches {
  /**
   * Checks a loan at once, then every few seconds, or when it is its turn in the queue.
   *
   * @param onResult is told the result of each check
   * @returns a function that ends the watch
   */
  watch(key: CheckKey, onResult: (result: CheckResult) => void): () => void;
  close(): void;
}

interface Options {
  readonly check: CheckLoan;
  /** Between two checks of a loan, in milliseconds. */
  readonly interval: number;
  /** Between two turns of the queue, in milliseconds. */
  readonly turn: number;
  readonly onError: (error: unknown) => void;
}

/** How many checks of queued loans begin together in each turn. */
const AT_A_TIME = 20;

interface Watch {
  readonly key: CheckKey;
  readonly onResult: (result: CheckResult) => void;
  timer: NodeJS.Timeout | undefined;
  checking: boolean;
  /** As the last check has left it. */
  mayWait: boolean;
  ended: boolean;
}

/**
 * Whether a shopper misses nothing while the loan is queued. One who was told that the provider cannot be reached waits
 * for the word that it can.
 */
function mayWait({ bound, finding }: CheckResult): boolean {
  return bound && finding !== "unreachable";
}

/**
 * Where more loans are followed than the provider may be asked about, those that are known to belong to their orders wait
 * in a queue. While a loan waits it costs no query; other changes of its order reach its followers as ever.
 */
export function createWatches({ check, interval, turn, onError }: Options): Watches {
  const watches = new Set<Watch>();
  const queue = new Set<Watch>();
  let turning: NodeJS.Timeout | undefined;
  let turns = 0;

  /** @returns whether the provider may have a call left for another one */
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
    // A check that fails leaves the queue too, so that it does not keep others from their turn.
    queue.delete(watch);
    watch.timer = setTimeout(() => checkAgain(watch), interval);
    return result?.deferred === false;
  }

  async function checkOnce(watch: Watch): Promise<CheckResult | undefined> {
    try {
      const result = await check(watch.key);
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

  /** Puts a watch at the end of the queue, or leaves it at its place there. */
  function enqueue(watch: Watch): void {
    queue.add(watch);
    turning ??= setTimeout(takeTurn, turn);
  }

  /** Begins at the head of the queue; watches that are still being checked are passed over. */
  function takeTurn(): void {
    turns += 1;
    turning = queue.size > 0 ? setTimeout(takeTurn, turn) : undefined;
    for (let place = 0; place < AT_A_TIME; place += 1) void checkAlongQueue();
  }

  /** Goes on to the next watch while the provider may have a call left, until the next turn begins. */
  async function checkAlongQueue(): Promise<void> {
    const thisTurn = turns;
    for (const watch of queue) {
      if (watch.checking) continue;
      if (!(await checkNow(watch)) || turns !== thisTurn) return;
    }
  }

  function end(watch: Watch): void {
    watch.ended = true;
    clearTimeout(watch.timer);
    watches.delete(watch);
    queue.delete(watch);
  }

  return {
    watch(key, onResult) {
      const watch: Watch = {
        key,
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
      clearTimeout(turning);
    },
  };
}
