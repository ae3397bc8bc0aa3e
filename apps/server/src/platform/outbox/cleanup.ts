import type { Database } from "../database/database.ts";
import { MAX_CLOCK_SKEW } from "../database/leases.ts";
import { DAY, MINUTE } from "../scheduling/clock.ts";
import { createPeriodicWorker, type Worker } from "../scheduling/periodic-worker.ts";
import { MAX_REQUESTED_DELAY } from "./attempt.ts";
import { endDeliveries } from "./change-deliveries.ts";
import { type Channel, isChannelOn } from "./channel.ts";
import {
  isWaitingIn,
  listWaitingChannels,
  listWaitingTargets,
  lockOf,
  type Partition,
} from "./queue.ts";
import { outboxTimes } from "./worker.ts";

/** In milliseconds. */
export interface CleanupTimes {
  /** How long delivered and skipped deliveries are kept. */
  readonly keepDelivered: number;
  /** How long failed deliveries are kept. */
  readonly keepFailed: number;
  /** How long deliveries wait for a channel that is off, such as email. */
  readonly awaitChannel: number;
  readonly interval: number;
}

export const cleanupTimes: CleanupTimes = {
  keepDelivered: 30 * DAY,
  keepFailed: 90 * DAY,
  awaitChannel: 3 * DAY,
  interval: 10 * MINUTE,
};

interface Dependencies {
  readonly database: Database;
  readonly channels: readonly Channel[];
  readonly times: CleanupTimes;
  readonly onError: (error: unknown) => void;
}

/** The maximum number of rows that one statement deletes. */
const BATCH_SIZE = 500;

/**
 * Deletes old deliveries, skips deliveries of channels that are off, and repairs times that a clock
 * that was ahead has written. All processes run it, first at their start.
 */
export function createDeliveryCleanup({
  database,
  channels,
  times,
  onError,
}: Dependencies): Worker {
  async function cleanUp(stopping: AbortSignal): Promise<void> {
    const now = database.now();
    for (const channel of channels) await repairTimes(database, channel);
    await skipOtherChannels(database, channels, now - times.awaitChannel);
    await deleteEnded(database, ["delivered", "skipped"], now - times.keepDelivered, stopping);
    await deleteEnded(database, ["failed"], now - times.keepFailed, stopping);
  }
  return createPeriodicWorker(cleanUp, times.interval, onError, 0);
}

/**
 * No delivery waits longer than its channel's longest delay. A later time was stored before the
 * clock was set back; the delivery might wait for months.
 */
async function repairTimes(
  database: Database,
  { name: channel, retryDelays }: Channel,
): Promise<void> {
  const maxDelay = Math.max(MAX_REQUESTED_DELAY, ...retryDelays);
  for (const target of await listWaitingTargets(database.db, channel))
    await makeImpossibleTimesDue(database, { channel, target }, maxDelay);
}

/**
 * Makes deliveries due whose time is impossible: new ones that were emitted in the future, and
 * any that wait longer than the longest delay. Deliveries that are being attempted stay as they are.
 *
 * @param maxDelay the longest time between two attempts, in milliseconds
 */
async function makeImpossibleTimesDue(
  database: Database,
  partition: Partition,
  maxDelay: number,
): Promise<void> {
  await database.inTransaction(async (unit) => {
    await unit.lock(lockOf(partition));
    const now = database.now();
    const soon = now + MAX_CLOCK_SKEW;
    const maxLeaseEnd = soon + outboxTimes.lease;
    await unit.db
      .updateTable("outbox")
      .set({ next_at: now, leased_until: 0 })
      .where(isWaitingIn(partition))
      .where("next_at", ">", soon)
      .where((eb) => eb.or([eb("leased_until", "<=", now), eb("leased_until", ">", maxLeaseEnd)]))
      .where((eb) =>
        eb.or([
          eb("next_at", ">", soon + maxDelay),
          eb.and([eb("attempts", "=", 0), eb("created_at", ">", soon)]),
        ]),
      )
      .execute();
  });
}

/** @param emittedBefore epoch milliseconds */
async function skipOtherChannels(
  database: Database,
  channels: readonly Channel[],
  emittedBefore: number,
): Promise<void> {
  const known = new Set(channels.filter(isChannelOn).map(({ name }) => name));
  const unknown = (await listWaitingChannels(database.db)).filter((channel) => !known.has(channel));
  for (const channel of unknown) {
    const answer = `not sent: the shop has no ${channel} any more`;
    for (const target of await listWaitingTargets(database.db, channel)) {
      await database.inTransaction((unit) =>
        endDeliveries(
          unit,
          { channel, target },
          { state: "skipped", answer, now: database.now(), emittedBefore },
        ),
      );
    }
  }
}

type EndState = "delivered" | "skipped" | "failed";

async function deleteEnded(
  { db }: Database,
  states: readonly EndState[],
  before: number,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const old = db
      .selectFrom("outbox")
      .select("position")
      .where("state", "in", states)
      .where("ended_at", "<", before)
      .limit(BATCH_SIZE);
    const { numDeletedRows } = await db
      .deleteFrom("outbox")
      .where("position", "in", old)
      // PostgreSQL checks these again after it has waited for a row: the delivery may have been
      // retried in the meantime.
      .where("state", "in", states)
      .where("ended_at", "<", before)
      .executeTakeFirstOrThrow();
    if (numDeletedRows < BATCH_SIZE) return;
    await new Promise(setImmediate);
  }
}
