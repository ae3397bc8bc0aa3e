/** The state of coalesced reads of one value, which the caller keeps. */
export interface CoalescedRead {
  /** The running read. */
  reading: Promise<void> | undefined;
  /** The value may have changed since that read began. */
  stale: boolean;
}

/**
 * Coalesces concurrent reads: at most one `read` runs at a time, and calls during a read share one
 * further read, which starts after the last of them.
 *
 * Example: three calls in a row cause two reads, one at once and one for the second and third call.
 *
 * @returns resolves when no read is left; rejects when a read fails, and the next call starts again
 */
export function readCoalesced<State extends CoalescedRead>(
  state: State,
  read: (state: State) => Promise<void>,
): Promise<void> {
  state.stale = true;
  state.reading ??= readWhileStale(state, read);
  return state.reading;
}

async function readWhileStale<State extends CoalescedRead>(
  state: State,
  read: (state: State) => Promise<void>,
): Promise<void> {
  try {
    while (state.stale) {
      state.stale = false;
      await read(state);
    }
  } finally {
    // There must be no `await` between the last test of `stale` and this line, or a call in between
    // would be lost.
    state.reading = undefined;
  }
}
