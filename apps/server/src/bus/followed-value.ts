import type { Bus, WholeTopic } from "./bus.ts";
import { type CoalescedRead, readCoalesced } from "./coalesced-read.ts";

/**
 * A value that a process keeps in memory, and reads again whenever the bus reports that it may have
 * changed.
 */
export interface FollowedValue<T> {
  /** The value as it was last read. */
  current(): T;
  /**
   * Reads the value again. @returns resolves when the value is at least as new as this call;
   * rejects when a read fails
   */
  refresh(): Promise<void>;
  /**
   * Resolves when no read is in progress: every change that this process has published is in
   * {@link current}.
   */
  settled(): Promise<void>;
  /** Ends the reads. A read in progress may fail then, and nobody is told. */
  close(): void;
}

/**
 * Where the changes come from, and what happens to errors; the same for every followed value of a
 * process.
 */
export interface Following {
  readonly bus: Bus;
  /** Called when a read fails that nobody waits for. The value stays as it was. */
  readonly onError: (error: unknown) => void;
  /**
   * The interval of periodic re-reads in milliseconds; they find changes whose messages the bus has
   * lost.
   */
  readonly reread: number;
}

interface Options<T> extends Following {
  readonly topic: WholeTopic;
  /** @param before the value of the read before; a read that finds nothing new may return it */
  readonly read: (before: T | undefined) => Promise<T>;
  /** Called after a read that returned another value than `before`, except the first. */
  readonly onChanged?: () => void;
}

/**
 * Reads a value now, and again whenever the bus reports a change of its topic, after a gap of the
 * bus, and periodically. It subscribes before the first read, so a change during that is not
 * missed. Rejects when the first read fails.
 *
 * Example: `createFollowedValue({ bus, onError, reread: 60_000, topic: "webhooks", read: () =>
 * listWebhooks(db) })`.
 */
export async function createFollowedValue<T>(options: Options<T>): Promise<FollowedValue<T>> {
  const { bus, topic, read, reread, onError, onChanged } = options;
  let held: { readonly value: T } | undefined;
  const state: CoalescedRead = { reading: undefined, stale: false };

  let isClosed = false;

  async function readAgain(): Promise<void> {
    if (isClosed) return;
    const before = held;
    try {
      held = { value: await read(before?.value) };
    } catch (error) {
      // The database may have been closed during the read.
      if (isClosed) return;
      throw error;
    }
    if (before !== undefined && held.value !== before.value) onChanged?.();
  }

  const refresh = () => readCoalesced(state, readAgain);
  const refreshOnMessage = () => void refresh().catch(onError);
  const unsubscribe = bus.subscribe((change) => {
    if (change.topic === topic || change.topic === "gap") refreshOnMessage();
  });
  await refresh().catch((error: unknown) => {
    unsubscribe();
    throw error;
  });
  const rereading = setInterval(refreshOnMessage, reread);
  rereading.unref();

  function current(): T {
    if (held === undefined) throw new Error("the first read has not ended");
    return held.value;
  }

  return {
    current,
    refresh,
    settled: async () => state.reading?.catch(() => {}),
    close() {
      isClosed = true;
      unsubscribe();
      clearInterval(rereading);
    },
  };
}
