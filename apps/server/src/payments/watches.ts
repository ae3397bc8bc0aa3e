import type { CheckContract, Look } from "./check-contract.ts";
import type { CheckKey } from "./check-repository.ts";

/** Looks at a contract again and again for as long as somebody follows it. */
export interface Watches {
  /**
   * Looks at once, then every few seconds, and tells `onLook` what each look saw.
   *
   * @returns a function that ends the watch
   */
  watch(key: CheckKey, onLook: (look: Look) => void): () => void;
  close(): void;
}

interface Options {
  readonly check: CheckContract;
  /** Between two looks, in milliseconds. */
  readonly interval: number;
  readonly onError: (error: unknown) => void;
}

export function createWatches({ check, interval, onError }: Options): Watches {
  const ends = new Set<() => void>();

  function watch(key: CheckKey, onLook: (look: Look) => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let ended = false;

    async function lookAgain(): Promise<void> {
      let done = false;
      try {
        const look = await check(key);
        done = look.done;
        if (!ended) onLook(look);
      } catch (error) {
        onError(error);
      }
      if (ended || done) return end();
      timer = setTimeout(lookAgain, interval);
    }

    function end(): void {
      ended = true;
      clearTimeout(timer);
      ends.delete(end);
    }

    ends.add(end);
    void lookAgain();
    return end;
  }

  return {
    watch,
    close() {
      for (const end of ends) end();
    },
  };
}
