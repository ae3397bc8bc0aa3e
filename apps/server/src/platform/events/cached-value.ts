import type { Bus, WholeTopic } from "./bus.ts";
import { createCoalescedRead } from "./coalesced-read.ts";

/** A value in memory that is read again when the bus reports a change. */
export type CachedValue<T> = Awaited<ReturnType<typeof createCachedValue<T>>>;

/** The same for all cached values of a process. */
export interface RefreshOptions {
  readonly bus: Bus;
  /** Called when a background read fails. The value is kept. */
  readonly onError: (error: unknown) => void;
  /** The interval of periodic reads in milliseconds, which find changes that the bus has lost. */
  readonly rereadInterval: number;
}

interface Options<T> extends RefreshOptions {
  readonly topic: WholeTopic;
  /** @param before the previous value; a read without changes may return it */
  readonly read: (before: T | undefined) => Promise<T>;
  /** Called after a read that returned another value than `before`; not after the first. */
  readonly onChanged?: () => void;
}

/**
 * Reads a value now, when the bus reports a change of its topic or a gap, and periodically. It
 * subscribes before the first read, so a change during that is not missed. Rejects when the first
 * read fails.
 *
 * @example
 * createCachedValue({ bus, onError, rereadInterval: MINUTE, topic: "webhooks",
 *   read: () => listWebhooks(db) });
 */
export async function createCachedValue<T>(options: Options<T>) {
  const { bus, topic, read, rereadInterval, onError, onChanged } = options;
  let held: { readonly value: T } | undefined;
  let isClosed = false;

  const { refresh, caughtUp } = createCoalescedRead(async () => {
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
  });
  const refreshOnMessage = () => void refresh().catch(onError);
  const unsubscribe = bus.subscribe((change) => {
    if (change.topic === topic || change.topic === "gap") refreshOnMessage();
  });
  await refresh().catch((error: unknown) => {
    unsubscribe();
    throw error;
  });
  const rereading = setInterval(refreshOnMessage, rereadInterval).unref();

  function current(): T {
    if (held === undefined) throw new Error("the first read has not ended");
    return held.value;
  }

  return {
    current,
    /** Resolves when the value is at least as new as this call; rejects when a read fails. */
    refresh,
    /** Resolves when {@link current} has every change that this process has published. */
    caughtUp,
    /** Stops reading. Errors of a read in progress are ignored. */
    close(): void {
      isClosed = true;
      unsubscribe();
      clearInterval(rereading);
    },
  };
}
