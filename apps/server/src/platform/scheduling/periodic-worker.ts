/** A background task. */
export interface Worker {
  start(): void;
  /** Aborts the signal of the current run, and resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` periodically: `first` milliseconds after the start, and then `interval` milliseconds
 * after the end of each run.
 *
 * @param work its signal is aborted by `stop`, so that long work can end early
 * @param onError called when `work` rejects; the worker continues
 */
export function createPeriodicWorker(
  work: (stopping: AbortSignal) => Promise<unknown>,
  interval: number,
  onError: (error: unknown) => void,
  first = interval,
): Worker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  function schedule(wait: number): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = work(stopping.signal)
        .catch(onError)
        .finally(() => schedule(interval));
    }, wait).unref();
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
