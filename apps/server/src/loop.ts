/** Work that is done again and again. */
export interface Loop {
  start(): void;
  /** Resolves when the work that is under way has ended; none begins after that. */
  stop(): Promise<void>;
}

/**
 * Does work again and again: first after `pause` milliseconds, then each time so long after the last one has ended.
 *
 * @param onError is told what the work throws; the loop goes on
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
