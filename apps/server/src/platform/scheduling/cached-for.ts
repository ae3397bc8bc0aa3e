import { elapsed } from "./clock.ts";

/**
 * Shares the result of a read for a time in milliseconds, from the beginning of the read.
 * Concurrent calls share one read, however long it takes. A failed read is not cached.
 *
 * @example
 * const refundsDue = cachedFor(30_000, () => readRefundsDue(db));
 */
export function cachedFor<Value>(time: number, read: () => Promise<Value>): () => Promise<Value> {
  let cachedUntil = Number.NEGATIVE_INFINITY;
  let value: Promise<Value> | undefined;
  return () => {
    if (value !== undefined && elapsed() < cachedUntil) return value;
    const until = elapsed() + time;
    cachedUntil = Number.POSITIVE_INFINITY;
    value = read().then(
      (result) => {
        cachedUntil = until;
        return result;
      },
      (error: unknown) => {
        cachedUntil = Number.NEGATIVE_INFINITY;
        throw error;
      },
    );
    return value;
  };
}
