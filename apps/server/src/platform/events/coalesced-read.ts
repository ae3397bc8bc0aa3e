/**
 * Coalesces concurrent reads: at most one `read` runs at a time, and calls during a read share one
 * further read, which starts after the last of them.
 *
 * Example: three calls in a row cause two reads, one at once and one for the second and third call.
 */
export function createCoalescedRead(read: () => Promise<void>) {
  let reading: Promise<void> | undefined;
  /** Whether there was a call since the running read began. */
  let isStale = false;

  async function readWhileStale(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        await read();
      }
    } finally {
      // There must be no `await` between the last test of `isStale` and this line, or a call in
      // between would be lost.
      reading = undefined;
    }
  }

  return {
    /** Resolves when no read is left; rejects when a read fails, and the next call starts again. */
    refresh(): Promise<void> {
      isStale = true;
      reading ??= readWhileStale();
      return reading;
    },
    /** Resolves when no read is left, even if one fails. Starts none. */
    caughtUp: async (): Promise<void> => reading?.catch(() => {}),
  };
}
