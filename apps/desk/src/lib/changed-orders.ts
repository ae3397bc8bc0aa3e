import type { QueryClient } from "@tanstack/react-query";

/** Changed orders: their ids, or `all` if any order may have changed. */
export type ChangedOrders = ReadonlySet<string> | "all";

interface Entry {
  /** When it was told. All times here are of `performance.now()`. */
  readonly at: number;
  readonly orders: readonly string[];
}

interface Log {
  /** Everything that has changed since then is in `entries`. */
  readonly since: number;
  readonly entries: readonly Entry[];
}

/** The most entries that are kept. */
const MAX_ENTRIES = 500;
const key = ["changed-orders"];

/**
 * Notes which orders have changed, for lists that read again only what has changed.
 *
 * @param orders their ids; `undefined` if any order may have changed
 */
export function noteChangedOrders(
  client: QueryClient,
  orders: readonly string[] | undefined,
): void {
  const at = performance.now();
  client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData<Log>(key, (log) => {
    if (log === undefined || orders === undefined) return { since: at, entries: [] };
    const entries = [...log.entries, { at, orders }];
    const [dropped] = entries.length > MAX_ENTRIES ? entries : [];
    // What was told at the time of the dropped entry is not complete any more.
    return dropped === undefined
      ? { ...log, entries }
      : { since: dropped.at + 1, entries: entries.slice(1) };
  });
}

/** The orders that have changed since a time of `performance.now()`. */
export function changedOrdersSince(client: QueryClient, time: number): ChangedOrders {
  const log = client.getQueryData<Log>(key);
  if (log === undefined || time <= log.since) return "all";
  return new Set(log.entries.filter(({ at }) => at >= time).flatMap(({ orders }) => orders));
}
