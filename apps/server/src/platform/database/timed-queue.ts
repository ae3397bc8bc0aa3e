import { Overloaded } from "./faults.ts";

/** Work beyond these limits is rejected with {@link Overloaded}. */
export interface QueueLimits {
  readonly maxWaiting: number;
  /** The longest wait in the queue, in milliseconds. */
  readonly maxWait: number;
}

interface Waiter {
  /** When the wait began, by the process's monotonic clock in milliseconds. */
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

/** A first-in, first-out queue that rejects each waiter after `maxWait` milliseconds. */
export class TimedQueue<Entry extends Waiter> implements Iterable<Entry> {
  readonly #limits: QueueLimits;
  #waiters: Entry[] = [];
  #isTimerSet = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiters.length;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#waiters.values();
  }

  /** @throws {Overloaded} when `maxWaiting` waiters are in the queue */
  checkRoom(): void {
    const { maxWaiting } = this.#limits;
    if (this.length >= maxWaiting) throw new Overloaded(`${maxWaiting} requests already wait`);
  }

  /** Adds a waiter, even to a full queue; see {@link checkRoom}. */
  push(waiter: Entry): void {
    this.#waiters.push(waiter);
    if (!this.#isTimerSet) this.#setTimer();
  }

  /** Removes the first `count` waiters. */
  take(count: number): Entry[] {
    return this.#waiters.splice(0, count);
  }

  #rejectExpired(): void {
    const { maxWait } = this.#limits;
    const now = performance.now();
    const { expired = [], inTime = [] } = Object.groupBy(this.#waiters, ({ since }) =>
      now - since >= maxWait ? "expired" : "inTime",
    );
    this.#waiters = inTime;
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
