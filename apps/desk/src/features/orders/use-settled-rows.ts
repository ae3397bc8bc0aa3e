import { useState } from "react";
import type { OrderRow } from "./order-list.ts";
import { freshRows, type SettledRows, settle } from "./settled-rows.ts";

interface Read {
  /** The name of the list: another list is shown afresh. */
  readonly list: string;
  /** What was read; `undefined` while nothing is read yet. */
  readonly listed: readonly OrderRow[] | undefined;
  /** Whether it is being read again. What is read while a list is being opened is shown at once. */
  readonly isReading: boolean;
}

interface State extends Omit<Read, "isReading"> {
  /** Whether the list was shown as it is in the shop: from then on rows keep their places. */
  readonly isOpened: boolean;
  readonly settled: SettledRows;
}

const none: readonly OrderRow[] = [];

/** The rows of the table, see {@link settle}, and a function that shows the list afresh. */
export function useSettledRows({
  list,
  listed,
  isReading,
}: Read): SettledRows & { refresh(): void } {
  const [state, setState] = useState<State>({
    list,
    listed: undefined,
    isOpened: false,
    settled: allOf(none),
  });
  let { settled } = state;
  const isOpened = state.list === list && (state.isOpened || !isReading) && listed !== undefined;
  if (state.list !== list || state.listed !== listed || state.isOpened !== isOpened) {
    const isKept = state.list === list && state.isOpened;
    if (state.listed !== listed || state.list !== list)
      settled = isKept ? settle(state.settled.rows, listed ?? none) : allOf(listed ?? none);
    setState({ list, listed, isOpened, settled });
  }
  return {
    ...settled,
    refresh: () => setState({ list, listed, isOpened, settled: allOf(listed ?? none) }),
  };
}

function allOf(listed: readonly OrderRow[]): SettledRows {
  return { rows: freshRows(listed), arrived: 0 };
}
