import { setTimeout } from "node:timers/promises";

/** The least time between two reads, in milliseconds. */
const BETWEEN_READS = 1_000;

/**
 * Creates a check whether a key is stored, for clients that have guessed before: all their guesses cost one query a second together. A key
 * that no earlier read has found waits for a read that begins after it, so a right one is never refused.
 */
export function createKnownKeys(read: () => Promise<readonly string[]>): (key: string) => Promise<boolean> {
  let known: ReadonlySet<string> = new Set();
  let next: Promise<ReadonlySet<string>> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readNext(): Promise<ReadonlySet<string>> {
    await setTimeout(Math.max(0, readAt + BETWEEN_READS - performance.now()), undefined, { ref: false });
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
