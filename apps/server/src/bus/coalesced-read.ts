/** The state of a coalesced read, kept by its caller beside the value that is read. */
export interface CoalescedRead {
  /** The read that is running. */
  reading: Promise<void> | undefined;
  /** The value may have changed since that read began. */
  stale: boolean;
}

/**
 * Reads a value again, coalescing concurrent calls: at most one `read` runs at a time, and calls
 * that arrive meanwhile share one further read, which begins after the last of them.
 *
 * Example: three calls in a row cause two reads, one at once and one for the second and third call.
 *
 * @returns resolves when no read is left to do; rejects when a read fails, and the next call starts
 *   anew
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
