/** A queue of future actions, ordered by time. */
export interface Agenda {
  /**
   * @param at in epoch milliseconds; actions with the same time run in the order in which they were
   *   added
   */
  add(at: number, act: () => void): void;
  /** The time of the next action; `Infinity` if there is none. */
  readonly next: number;
  /** Runs the next action. */
  run(): void;
}

export function createAgenda(): Agenda {
  const entries: { readonly at: number; readonly act: () => void }[] = [];
  return {
    add(at, act) {
      const place = entries.findIndex((entry) => entry.at > at);
      entries.splice(place < 0 ? entries.length : place, 0, { at, act });
    },
    get next() {
      return entries[0]?.at ?? Number.POSITIVE_INFINITY;
    },
    run: () => entries.shift()?.act(),
  };
}
