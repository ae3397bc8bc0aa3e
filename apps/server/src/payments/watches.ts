import type { CheckContract, Look } from "./check-contract.ts";
import type { CheckKey } from "./check-repository.ts";

/** Looks at a contract again and again for as long as somebody follows it. */
export interface Watches {
  /**
   * Looks at once, then every few seconds, or when it is this contract's turn, and tells `onLook` what each look saw.
   *
   * @returns a function that ends the watch
   */
  watch(key: CheckKey, onLook: (look: Look) => void): () => void;
  close(): void;
}

interface Options {
  readonly check: CheckContract;
  /** Between two looks at a contract, in milliseconds. */
  readonly interval: number;
  /** Until those who wait in line are tried again, in milliseconds. */
  readonly turn: number;
  readonly onError: (error: unknown) => void;
}

/** How many of those in line each turn begins to look at, together. */
const AT_A_TIME = 20;

interface Watch {
  readonly key: CheckKey;
  readonly onLook: (look: Look) => void;
  timer: NodeJS.Timeout | undefined;
  looking: boolean;
  /** As the last look has left it. */
  mayWait: boolean;
  ended: boolean;
}

/** Whether a shopper misses nothing while the contract waits: one who was told of an error is told of its end. */
function mayWait({ bound, sight }: Look): boolean {
  return bound && sight !== "unreachable";
}

/**
 * Where more contracts are followed than the provider is asked about, those that are known to belong to their orders
 * wait in line: each has its turn, and until then costs nothing. Whatever else happens to their orders is heard of.
 */
export function createWatches({ check, interval, turn, onError }: Options): Watches {
  const watches = new Set<Watch>();
  const line = new Set<Watch>();
  let turning: NodeJS.Timeout | undefined;
  let turns = 0;

  /** @returns whether the provider may have time for another one */
  async function lookAt(watch: Watch): Promise<boolean> {
    watch.looking = true;
    const look = await lookOnce(watch);
    watch.looking = false;
    if (watch.ended) return true;
    if (look?.done === true) {
      end(watch);
      return true;
    }
    if (look?.deferred === true && watch.mayWait) {
      queue(watch);
      return false;
    }
    // One that fails leaves the line too: it must not keep others from their turn.
    line.delete(watch);
    watch.timer = setTimeout(() => lookAgain(watch), interval);
    return look?.deferred === false;
  }

  async function lookOnce(watch: Watch): Promise<Look | undefined> {
    try {
      const look = await check(watch.key);
      watch.mayWait = mayWait(look);
      if (!watch.ended) watch.onLook(look);
      return look;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  function lookAgain(watch: Watch): void {
    if (watch.mayWait && line.size > 0) queue(watch);
    else void lookAt(watch);
  }

  /** Puts a watch at the end of the line, or leaves it where it stands. */
  function queue(watch: Watch): void {
    line.add(watch);
    turning ??= setTimeout(takeTurns, turn);
  }

  /** Begins at the head of the line again; those that are still being looked at are passed over. */
  function takeTurns(): void {
    turns += 1;
    turning = line.size > 0 ? setTimeout(takeTurns, turn) : undefined;
    for (let place = 0; place < AT_A_TIME; place += 1) void lookAlongLine();
  }

  /** Goes on to the next for as long as the provider may have time, and until the next turn begins. */
  async function lookAlongLine(): Promise<void> {
    const thisTurn = turns;
    for (const watch of line) {
      if (watch.looking) continue;
      if (!(await lookAt(watch)) || turns !== thisTurn) return;
    }
  }

  function end(watch: Watch): void {
    watch.ended = true;
    clearTimeout(watch.timer);
    watches.delete(watch);
    line.delete(watch);
  }

  return {
    watch(key, onLook) {
      const watch: Watch = { key, onLook, timer: undefined, looking: false, mayWait: false, ended: false };
      watches.add(watch);
      void lookAt(watch);
      return () => end(watch);
    },
    close() {
      for (const watch of watches) end(watch);
      clearTimeout(turning);
    },
  };
}
