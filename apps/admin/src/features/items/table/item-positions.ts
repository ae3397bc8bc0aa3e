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

export interface PositionChange {
  readonly id: string;
  /** A zero-based position. */
  readonly to: number;
}

/**
 * Optimistic changes, stored one after another. A failed change is dropped before the next is
 * stored.
 */
export function createPendingPositions() {
  let stored: readonly string[] = [];
  let pending: readonly PositionChange[] = [];
  const after = (ids: readonly string[], { id, to }: PositionChange) => moved(ids, id, to);
  return {
    /** @param shown the ids on the screen, which are the stored ones while no change is pending */
    add(change: PositionChange, shown: readonly string[]): void {
      if (pending.length === 0) stored = shown;
      pending = [...pending, change];
    },
    /** The ids in the order to store for a change. */
    toStore: (change: PositionChange) => after(stored, change),
    end(change: PositionChange, isStored: boolean): void {
      if (isStored) stored = after(stored, change);
      pending = pending.filter((other) => other !== change);
    },
    /** The ids with all pending changes applied. */
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
