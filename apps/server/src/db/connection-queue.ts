import { type QueueLimits, TimedQueue } from "./timed-queue.ts";

interface Waiter {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A first-in, first-out mutex for the one SQLite connection, with a limit on the queue's length and
 * on the wait.
 */
export class ConnectionQueue {
  readonly #waiters: TimedQueue<Waiter>;
  #isHeld = false;

  constructor(limits: QueueLimits) {
    this.#waiters = new TimedQueue(limits);
  }

  /**
   * Waits in the queue until the connection is free. The caller then holds it until it calls
   * {@link release}.
   *
   * @throws {Overloaded} at once when `maxWaiting` callers wait already, or after `maxWait`
   *   milliseconds
   */
  async acquire(): Promise<void> {
    if (this.#isHeld) this.#waiters.checkRoom();
    await this.#wait(performance.now());
  }

  /**
   * Like {@link acquire}, but never rejects: for a caller that has released the connection in the
   * middle of its work.
   */
  async reacquire(): Promise<void> {
    await this.#wait(Number.POSITIVE_INFINITY);
  }

  /** Hands the connection to the next waiter. */
  release(): void {
    const [next] = this.#waiters.take(1);
    if (next === undefined) this.#isHeld = false;
    else next.resolve();
  }

  async #wait(since: number): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push({ since, resolve, reject });
    await promise;
  }
}
