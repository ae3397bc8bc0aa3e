/** A periodic background task. */
export interface Loop {
  start(): void;
  /**
   * Starts no further run, and aborts the signal of the present one; resolves when that has ended.
   */
  stop(): Promise<void>;
}

/**
 * Runs `work` periodically: `first` milliseconds after the start, and then `pause` milliseconds
 * after each run has ended.
 *
 * @param work is handed a signal that is aborted when the loop is stopped, so that long work can
 *   end early
 * @param onError called when `work` rejects; the loop continues
 */
export function createLoop(
  work: (stopping: AbortSignal) => Promise<unknown>,
  pause: number,
  onError: (error: unknown) => void,
  first = pause,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  function schedule(wait: number): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = work(stopping.signal)
        .catch(onError)
        .finally(() => schedule(pause));
    }, wait);
    timer.unref();
  }

  return {
    start: () => schedule(first),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
