import { setTimeout } from "node:timers/promises";

/** The minimum interval between reads of the stored keys, in milliseconds. */
const READ_INTERVAL = 1_000;

/** Whether a text has the form of a new secret; no other text is looked up in the database. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/**
 * Creates a lookup of stored keys for clients with earlier failures. All their guesses together
 * cost one query a second. A key that is not in the last read waits for a later read, so a valid
 * key is never refused.
 */
export function createThrottledLookup(
  readKeys: () => Promise<readonly string[]>,
): (key: string) => Promise<boolean> {
  let known: ReadonlySet<string> = new Set();
  let next: Promise<ReadonlySet<string>> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readNext(): Promise<ReadonlySet<string>> {
    await setTimeout(Math.max(0, readAt + READ_INTERVAL - performance.now()), undefined, {
      ref: false,
    });
    next = undefined;
    readAt = performance.now();
    known = new Set(await readKeys());
    return known;
  }

  return async (key) => {
    if (known.has(key)) return true;
    next ??= readNext();
    return (await next).has(key);
  };
}
