import { Overloaded } from "./faults.ts";
import type { QueueLimits } from "./in-groups.ts";

interface Waiting {
  /** On the process's own clock, in milliseconds; `Infinity` for one who is never sent away. */
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Lets one at a time have the turn, in the order in which they came. */
export class Turns {
  readonly #limits: QueueLimits;
  #line: Waiting[] = [];
  #taken = false;
  #expiring = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves when it is the caller's turn, who is then to {@link pass} it on.
   *
   * @throws {Overloaded} when too many wait, or when it takes too long
   */
  async take(): Promise<void> {
    const { maxWaiting } = this.#limits;
    if (this.#taken && this.#line.length >= maxWaiting) throw new Overloaded(`${maxWaiting} wait already`);
    await this.#wait(performance.now());
  }

  /** Takes the turn again after passing it on; it may take as long as it takes. */
  async retake(): Promise<void> {
    await this.#wait(Number.POSITIVE_INFINITY);
  }

  /** Ends the turn: the next in line has it at once. */
  pass(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#taken = false;
    else next.resolve();
  }

  async #wait(since: number): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return;
    }
    const turn = Promise.withResolvers<void>();
    this.#line.push({ since, resolve: turn.resolve, reject: turn.reject });
    if (!this.#expiring) this.#expireLater();
    await turn.promise;
  }

  #expire(): void {
    const { maxWait } = this.#limits;
    const isLate = ({ since }: Waiting) => performance.now() - since >= maxWait;
    const late = this.#line.filter(isLate);
    if (late.length > 0) this.#line = this.#line.filter((waiting) => !late.includes(waiting));
    for (const { reject } of late) reject(new Overloaded(`waited for ${maxWait} ms`));
    this.#expireLater();
  }

  /** One timer stands for all who wait, and is left alone while they are in time. */
  #expireLater(): void {
    const oldest = Math.min(...this.#line.map(({ since }) => since));
    this.#expiring = oldest < Number.POSITIVE_INFINITY;
    const left = oldest + this.#limits.maxWait - performance.now();
    if (this.#expiring) setTimeout(() => this.#expire(), Math.max(1, left)).unref();
  }
}
