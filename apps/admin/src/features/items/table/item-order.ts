/** Moves an id to a zero-based position. Positions outside the list mean its ends. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((other) => other !== id);
  if (others.length === ids.length) return [...ids];
  const position = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, position), id, ...others.slice(position)];
}

/** Sorts elements by ids. Elements with other ids stay at the end. */
export function inOrder<Element extends { readonly id: string }>(
  elements: readonly Element[],
  ids: readonly string[],
): Element[] {
  const positions = new Map(ids.map((id, index) => [id, index]));
  const positionOf = ({ id }: Element) => positions.get(id) ?? ids.length;
  return elements.toSorted((a, b) => positionOf(a) - positionOf(b));
}

interface Move {
  readonly id: string;
  /** A zero-based position. */
  readonly to: number;
}

/**
 * Optimistic moves, stored one after another. A failed move is dropped before the next is stored.
 */
export interface PendingMoves {
  /** @param shown the ids on the screen, which are the stored ones while no move is pending */
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

/** The position after a key press; `undefined` for keys that do not move. */
export function positionAfterKey(key: string, position: number, count: number): number | undefined {
  switch (key) {
    case "ArrowUp":
      return position - 1;
    case "ArrowDown":
      return position + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
