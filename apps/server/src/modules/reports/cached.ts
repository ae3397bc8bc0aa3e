import { elapsed } from "../../platform/scheduling/clock.ts";

/**
 * Returns a function that reads a value, cached. Concurrent calls share one read. A failed read is
 * not cached.
 *
 * @param keep in milliseconds, from the beginning of a read
 */
export function cached<Value>(read: () => Promise<Value>, keep: number): () => Promise<Value> {
  let keptUntil = Number.NEGATIVE_INFINITY;
  let value: Promise<Value> | undefined;
  return () => {
    if (value !== undefined && elapsed() < keptUntil) return value;
    const until = elapsed() + keep;
    keptUntil = Number.POSITIVE_INFINITY;
    value = read().then(
      (result) => {
        keptUntil = until;
        return result;
      },
      (error: unknown) => {
        keptUntil = Number.NEGATIVE_INFINITY;
        throw error;
      },
    );
    return value;
  };
}
