/**
 * Shares the result of a read for a time in milliseconds. After a failure it is read again.
 *
 * @example
 * const refundsDue = cachedFor(30_000, () => readRefundsDue(db));
 */
export function cachedFor<Value>(time: number, read: () => Promise<Value>): () => Promise<Value> {
  let readAt = Number.NEGATIVE_INFINITY;
  let value: Promise<Value> | undefined;
  return () => {
    if (value !== undefined && performance.now() - readAt < time) return value;
    readAt = performance.now();
    value = read().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
