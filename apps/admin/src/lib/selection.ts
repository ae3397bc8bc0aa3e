import { useCallback, useEffect, useRef, useState } from "react";
import { counted } from "./format.ts";

/** The maximum number of selected rows. */
export const MAX_SELECTED = 500;

/** The selected rows of a list. A range begins at the row that was selected or deselected last. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly last: string | undefined;
}

export const noSelection: Selection = { ids: new Set(), last: undefined };

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, last: id };
}

/**
 * Gives the rows between the last one and this one the state of the last one: selected or not.
 *
 * @param listed the ids of the list, in its order
 */
export function extended(selection: Selection, id: string, listed: readonly string[]): Selection {
  const { ids, last } = selection;
  const start = last === undefined ? -1 : listed.indexOf(last);
  const end = listed.indexOf(id);
  if (last === undefined || start === -1 || end === -1) return toggled(selection, id);
  const range = listed.slice(Math.min(start, end), Math.max(start, end) + 1);
  const next = new Set(ids);
  for (const one of range) {
    if (ids.has(last)) next.add(one);
    else next.delete(one);
  }
  return { ids: next, last: id };
}

/**
 * The text of the button that selects all rows of a filter.
 *
 * @param noun such as "order"
 * @param hasMore whether there may be more rows than counted
 */
export function selectAllText(noun: string, rows: number, hasMore = false): string {
  return hasMore || rows > MAX_SELECTED
    ? `Select the first ${counted(MAX_SELECTED, noun)}`
    : `Select all ${counted(rows, noun)}`;
}

/** The selection of the list. `toggle` and `extend` are stable, because rows are memoized. */
export function useSelection(listed: readonly string[]) {
  const [selection, setSelection] = useState(noSelection);
  const current = useRef(listed);
  useEffect(() => {
    current.current = listed;
  }, [listed]);
  const toggle = useCallback((id: string) => setSelection((now) => toggled(now, id)), []);
  const extend = useCallback(
    (id: string) => setSelection((now) => extended(now, id, current.current)),
    [],
  );
  const selectAll = (ids: readonly string[]) =>
    setSelection({ ids: new Set(ids.slice(0, MAX_SELECTED)), last: undefined });
  const clear = () => setSelection(noSelection);
  return { selected: selection.ids, toggle, extend, selectAll, clear };
}
