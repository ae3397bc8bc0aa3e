/**
 * The ids after one of them was moved.
 *
 * @param to the place that it has afterwards, from 0; places outside of the list are its ends
 */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((one) => one !== id);
  if (others.length === ids.length) return [...ids];
  const place = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/** Sorts things by ids; things whose id is not among them stay at the end, in their order. */
export function inOrder<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  ids: readonly string[],
): Thing[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return things.toSorted((one, other) => placeOf(one.id) - placeOf(other.id));

  function placeOf(id: string): number {
    return places.get(id) ?? ids.length;
  }
}

interface Move {
  readonly id: string;
  /** Zero-based position in the list. */
  readonly to: number;
}

/**
 * Optimistic moves, stored one after another. A failed move is dropped, so the next one does not
 * store it.
 */
export interface PendingMoves {
  /** @param shown the ids as they are shown, which the shop has if no move is pending */
  add(move: Move, shown: readonly string[]): void;
  /** The order of ids to store for a move. */
  toStore(move: Move): string[];
  end(move: Move, isStored: boolean): void;
  /** The ids with all pending moves applied. */
  shown(): string[];
}

export function createPendingMoves(): PendingMoves {
  let stored: readonly string[] = [];
  let pending: readonly Move[] = [];
  const after = (ids: readonly string[], { id, to }: Move) => moved(ids, id, to);
  return {
    add(move, shown) {
      if (pending.length === 0) stored = shown;
      pending = [...pending, move];
    },
    toStore: (move) => after(stored, move),
    end(move, isStored) {
      if (isStored) stored = after(stored, move);
      pending = pending.filter((other) => other !== move);
    },
    shown: () => pending.reduce(after, [...stored]),
  };
}

/** Where a key moves a thing from a place; `undefined` for other keys. */
export function placeAfterKey(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case "ArrowUp":
      return place - 1;
    case "ArrowDown":
      return place + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
