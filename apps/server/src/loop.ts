/** A periodic background task. */
export interface Loop {
  start(): void;
  /** Starts no further run; resolves when the present one has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` periodically: `pause` milliseconds after the start, and then `pause` milliseconds after each run has ended.
 *
 * @param onError called when `work` rejects; the loop continues
 */
export function createLoop(
  work: () => Promise<unknown>,
  pause: number,
  onError: (error: unknown) => void,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work().catch(onError).finally(schedule);
    }, pause);
    timer.unref();
  }

  return {
    start: schedule,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
