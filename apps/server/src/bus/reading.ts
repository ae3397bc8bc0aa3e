/** Something that is read again whenever it may have changed. */
export interface Reading {
  /** The reading that is under way. */
  reading: Promise<void> | undefined;
  /** It may have changed since that reading began. */
  stale: boolean;
}

/**
 * Reads something again. Calls that come while it is being read share the next reading, so there is never more than one
 * under way, and what is read last was read after the last call.
 *
 * @param state is kept by the caller, with what it describes: there may be thousands
 * @returns resolves when nothing is left to be read; rejects when a reading fails, which ends them
 */
export function readAgain<State extends Reading>(
  state: State,
  read: (state: State) => Promise<void>,
): Promise<void> {
  state.stale = true;
  state.reading ??= readWhileStale(state, read);
  return state.reading;
}

async function readWhileStale<State extends Reading>(
  state: State,
  read: (state: State) => Promise<void>,
): Promise<void> {
  try {
    while (state.stale) {
      state.stale = false;
      await read(state);
    }
  } finally {
    // In the same step as the last look at `stale`: a call in between would be lost.
    state.reading = undefined;
  }
}
