import { setTimeout as pause } from "node:timers/promises";
import { backoff } from "../backoff.ts";
import type { Database } from "../db/database.ts";
import { CLOCKS_DIFFER, endLease, takeLease } from "../db/leases.ts";
import { createLoop, type Loop } from "../loop.ts";

/** In milliseconds. */
interface PassTimes {
  /** How often a process looks whether a pass is due. */
  readonly tick: number;
  /**
   * The time from the beginning of a pass to the next one; a pass that takes longer is continued
   * then.
   */
  readonly pass: number;
  /** The longest wait for the next pass after failures; it doubles with each. */
  readonly longest: number;
  /** The pause after each item, so that a long pass leaves time for requests. */
  readonly pause: number;
}

/**
 * `skipped`: there was nothing to do. `undecided`: it could not be done now, maybe for a reason
 * that is not in the item.
 */
type ItemOutcome = "done" | "skipped" | "undecided";

/** One pass over many items. */
interface Pass<Item> {
  /**
   * Reads the items in a fixed order, from behind an item of an earlier pass that was not
   * completed.
   */
  items(after: Item | undefined): AsyncIterable<Item> | Iterable<Item>;
  /** An error counts as `undecided`. */
  handle(item: Item): Promise<ItemOutcome>;
  /** Called at the end. @param isComplete whether no item was left */
  ended(isComplete: boolean): Promise<void>;
}

interface Options<Item> {
  readonly lease: string;
  readonly database: Pick<Database, "db" | "now">;
  readonly times: PassTimes;
  /** Whether this process may make passes now. */
  readonly mayBegin: () => boolean;
  /** @param now when the pass begins, in epoch milliseconds */
  readonly begin: (now: number) => Promise<Pass<Item>>;
  readonly onError: (error: unknown) => void;
}

/** A pass gives way after this many items in a row that were undecided. */
const MOST_UNDECIDED = 5;

/**
 * Goes over many items again and again, in one process at a time. A pass that is not completed is
 * continued behind the last item that it came to, so items that always fail do not keep it from the
 * others.
 */
export function createPasses<Item>({ lease, database, times, ...options }: Options<Item>): Loop {
  const { mayBegin, begin, onError } = options;
  const { db } = database;
  const furthest = Math.max(times.pass, times.longest) + CLOCKS_DIFFER;
  let last: Item | undefined;
  let failures = 0;

  async function passIfDue(stopping: AbortSignal): Promise<void> {
    if (!mayBegin()) return;
    const now = database.now();
    const until = now + times.pass;
    if (!(await takeLease(db, lease, { now, until, furthest }))) return;
    try {
      const pass = await begin(now);
      const end = await handleItems(pass, until, stopping);
      await pass.ended(end === "complete");
      if (end !== "gave-way") {
        failures = 0;
        return;
      }
    } catch (error) {
      onError(error);
    }
    failures += 1;
    const wait = backoff(failures, times.pass, times.longest);
    await endLease(db, lease, { from: until, until: now + wait });
  }

  async function handleItems(
    { items, handle }: Pass<Item>,
    until: number,
    stopping: AbortSignal,
  ): Promise<"complete" | "interrupted" | "gave-way"> {
    let undecided = 0;
    for await (const item of items(last)) {
      if (stopping.aborted || database.now() >= until) return "interrupted";
      last = item;
      const outcome = await handle(item).catch((error) => {
        onError(error);
        return "undecided";
      });
      if (outcome === "skipped") continue;
      undecided = outcome === "undecided" ? undecided + 1 : 0;
      if (undecided === MOST_UNDECIDED) return "gave-way";
      await pause(times.pause, undefined, { ref: false, signal: stopping }).catch(() => {});
    }
    last = undefined;
    return "complete";
  }

  return createLoop(passIfDue, times.tick, onError);
}
