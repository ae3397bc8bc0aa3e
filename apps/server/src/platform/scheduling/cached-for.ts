import { elapsed } from "./clock.ts";

/**
 * Shares the result of a read for a time in milliseconds, from the beginning of the read, and while
 * the key stays the same. Concurrent calls share one read, however long it takes. A failed read is
 * not cached.
 *
 * @example
 * const refundsDue = cachedFor(30_000, () => readRefundsDue(db));
 */
export function cachedFor<Value>(
  time: number,
  read: () => Promise<Value>,
  currentKey = () => "",
): () => Promise<Value> {
  let cached: { key: string; until: number; value: Promise<Value> } | undefined;
  return () => {
    const key = currentKey();
    if (cached?.key === key && elapsed() < cached.until) return cached.value;
    const until = elapsed() + time;
    const reading = { key, until: Number.POSITIVE_INFINITY, value: read() };
    cached = reading;
    const keepUntil = (end: number) => () => {
      reading.until = end;
    };
    reading.value.then(keepUntil(until), keepUntil(Number.NEGATIVE_INFINITY));
    return reading.value;
  };
}
