import { setTimeout } from "node:timers/promises";

/** The minimum interval between reads, in milliseconds. */
const BETWEEN_READS = 1_000;

/**
 * Creates a lookup of stored keys for clients with earlier failures. All their guesses together
 * cost one query a second. A key that is not in the last read waits for a later read, so a valid
 * key is never refused.
 */
export function createKnownKeys(
  read: () => Promise<readonly string[]>,
): (key: string) => Promise<boolean> {
  let known: ReadonlySet<string> = new Set();
  let next: Promise<ReadonlySet<string>> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readNext(): Promise<ReadonlySet<string>> {
    await setTimeout(Math.max(0, readAt + BETWEEN_READS - performance.now()), undefined, {
      ref: false,
    });
    next = undefined;
    readAt = performance.now();
    known = new Set(await read());
    return known;
  }

  return async (key) => {
    if (known.has(key)) return true;
    next ??= readNext();
    return (await next).has(key);
  };
}
