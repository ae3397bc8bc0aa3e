import { useState } from "react";
import type { OrderRow } from "./order-list.ts";
import { freshRows, type SettledRows, type ShownRow, settle } from "./settled-rows.ts";

const none: readonly OrderRow[] = [];

/**
 * The rows of the table; see {@link settle}.
 *
 * @param list the name of the list: another list is shown afresh
 * @param listed what was read; `undefined` while nothing is read yet
 * @returns the rows, and a function that shows the list afresh
 */
export function useSettledRows(
  list: string,
  listed: readonly OrderRow[] | undefined,
): SettledRows & { refresh(): void } {
  const [state, setState] = useState<{ list: string; listed: typeof listed; settled: SettledRows }>({
    list,
    listed: undefined,
    settled: { rows: [], arrived: 0 },
  });
  let { settled } = state;
  if (state.list !== list || state.listed !== listed) {
    const isFresh = state.list !== list || state.listed === undefined;
    settled = isFresh ? allOf(listed ?? none) : settle(state.settled.rows, listed ?? none);
    setState({ list, listed, settled });
  }
  return {
    ...settled,
    refresh: () => setState({ list, listed, settled: allOf(listed ?? none) }),
  };
}

function allOf(listed: readonly OrderRow[]): SettledRows {
  const rows: readonly ShownRow[] = freshRows(listed);
  return { rows, arrived: 0 };
}
