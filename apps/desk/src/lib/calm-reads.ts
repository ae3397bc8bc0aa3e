import type { Query, QueryClient } from "@tanstack/react-query";

/** The pause between two readings of the same query, in milliseconds. */
const PAUSE = 1_000;

/**
 * Reads queries again after changes: the first time at once, then at most once a second each, and
 * never twice at the same time. A change during a reading or the pause is read after it. What is
 * not shown is only marked, and read when it is shown.
 */
export function createCalmReads(client: QueryClient): (query: Query) => void {
  const busy = new Map<string, { isStale: boolean }>();

  async function readUntilFresh(query: Query, state: { isStale: boolean }): Promise<void> {
    while (state.isStale) {
      state.isStale = false;
      // A first reading is not begun again by a change, and may have missed it. Others are.
      if (query.state.data === undefined) await query.promise?.catch(() => {});
      await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    busy.delete(query.queryHash);
  }

  return (query) => {
    if (!query.isActive()) return query.invalidate();
    const state = busy.get(query.queryHash);
    if (state !== undefined) {
      state.isStale = true;
      return;
    }
    const started = { isStale: true };
    busy.set(query.queryHash, started);
    void readUntilFresh(query, started);
  };
}
