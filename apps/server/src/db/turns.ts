/** Lets one at a time have the turn, in the order in which they came. */
export class Turns {
  readonly #line: (() => void)[] = [];
  #taken = false;

  /** How many wait for the turn. */
  get waiting(): number {
    return this.#line.length;
  }

  /** Resolves when it is the caller's turn, who is then to {@link pass} it on. */
  async take(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#line.push(resolve));
    this.#taken = true;
  }

  /** Ends the turn: the next in line has it at once. */
  pass(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
