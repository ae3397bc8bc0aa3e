/** What is still to happen, in the order of time. */
export interface Agenda {
  /** @param at in epoch milliseconds; what has the same time happens in the order in which it was added */
  add(at: number, act: () => void): void;
  /** When the next thing is to happen; `Infinity` where there is none. */
  readonly next: number;
  /** Does the next thing. */
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
