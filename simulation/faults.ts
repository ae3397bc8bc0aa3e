/** A fault that lasts for some time. */
export class Faults<Fault extends string> {
  readonly #now: () => number;
  #active: { readonly fault: Fault; readonly until: number } | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param duration in milliseconds */
  set(fault: Fault, duration: number): void {
    this.#active = { fault, until: this.#now() + duration };
  }

  end(): void {
    this.#active = undefined;
  }

  get current(): Fault | undefined {
    const active = this.#active;
    return active !== undefined && active.until > this.#now() ? active.fault : undefined;
  }
}
