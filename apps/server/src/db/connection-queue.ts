import { Overloaded } from "./faults.ts";
import type { QueueLimits } from "./in-groups.ts";

interface Waiter {
  /**
   * When the wait began, by the process's monotonic clock in milliseconds; `Infinity` for one that
   * never times out.
   */
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A first-in, first-out mutex for the one SQLite connection, with a limit on the queue's length and
 * on the wait.
 */
export class ConnectionQueue {
  readonly #limits: QueueLimits;
  #waiters: Waiter[] = [];
  #isHeld = false;
  #isTimerSet = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Waits in the queue until the connection is free. The caller then holds it until it calls
   * {@link release}.
   *
   * @throws {Overloaded} at once when `maxWaiting` callers wait already, or after `maxWait`
   *   milliseconds
   */
  async acquire(): Promise<void> {
    const { maxWaiting } = this.#limits;
    if (this.#isHeld && this.#waiters.length >= maxWaiting)
      throw new Overloaded(`${maxWaiting} requests wait already`);
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
    const next = this.#waiters.shift();
    if (next === undefined) this.#isHeld = false;
    else next.resolve();
  }

  async #wait(since: number): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return;
    }
    const acquired = Promise.withResolvers<void>();
    this.#waiters.push({ since, resolve: acquired.resolve, reject: acquired.reject });
    if (!this.#isTimerSet) this.#setTimer();
    await acquired.promise;
  }

  #rejectExpired(): void {
    const { maxWait } = this.#limits;
    const isExpired = ({ since }: Waiter) => performance.now() - since >= maxWait;
    const expired = this.#waiters.filter(isExpired);
    if (expired.length > 0)
      this.#waiters = this.#waiters.filter((waiter) => !expired.includes(waiter));
    for (const { reject } of expired) reject(new Overloaded(`waited for ${maxWait} ms`));
    this.#setTimer();
  }

  /** One timer serves all waiters; it is set for the oldest and not reset before it fires. */
  #setTimer(): void {
    const oldest = Math.min(...this.#waiters.map(({ since }) => since));
    this.#isTimerSet = oldest < Number.POSITIVE_INFINITY;
    const left = oldest + this.#limits.maxWait - performance.now();
    if (this.#isTimerSet) setTimeout(() => this.#rejectExpired(), Math.max(1, left)).unref();
  }
}
