import { setTimeout as pause } from "node:timers/promises";
import type { Bus } from "../bus/bus.ts";
import { elapsed } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { createLoop, type Loop } from "../loop.ts";
import { indexChanges, isAnyToIndex } from "./order-index.ts";

/** In milliseconds. */
export interface IndexTimes {
  /** The interval at which a process looks for orders that are not in the index. */
  readonly indexOrders: number;
}

export const indexTimes: IndexTimes = { indexOrders: 1_000 };

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly times: IndexTimes;
  readonly onError: (error: unknown) => void;
}

/**
 * The most changes of one transaction: few enough that an order that is placed meanwhile hardly
 * waits.
 */
const AT_A_TIME = 100;
/**
 * The pause after each transaction, in multiples of its duration. The index takes a fiftieth of the
 * time of a process that is at its limit: with a tenth, a shop on SQLite placed an eighth fewer
 * orders a second. The orders from before an upgrade are indexed first, and take a tenth until they
 * are done, because no newer order is found until then.
 */
const pauses = { changes: 49, stored: 9 } as const;
/**
 * The longest pause, in milliseconds, after a transaction that had to wait for a lock or a slow
 * disk.
 */
const LONGEST_PAUSE = 5_000;

/**
 * Brings the index of the orders up to date, by which they are searched and by which other programs
 * read the changes, and the figures of orders and loans. Every process does it, one at a time. What
 * a killed process has left is done by the next.
 */
export function createIndexOrders({ times, onError, ...needs }: Dependencies): Loop {
  return createLoop((stopping) => indexAll(needs, stopping), times.indexOrders, onError);
}

async function indexAll(
  { database, bus }: Pick<Dependencies, "database" | "bus">,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted && (await isAnyToIndex(database.db))) {
    const begun = elapsed();
    const { kind } = await database.inTransaction(async (unit) => {
      unit.afterCommit(() => bus.publish({ topic: "figures" }));
      return indexChanges(unit, database.now, AT_A_TIME);
    });
    await pause(pauseAfter(kind, elapsed() - begun), undefined, { signal: stopping }).catch(
      () => {},
    );
  }
}

/** The pause after a transaction, in milliseconds. @param took how long it took, in milliseconds */
export function pauseAfter(kind: keyof typeof pauses, took: number): number {
  return Math.min(pauses[kind] * took, LONGEST_PAUSE);
}
