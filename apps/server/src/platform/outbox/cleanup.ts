import type { Database } from "../database/database.ts";
import { MAX_CLOCK_SKEW } from "../database/leases.ts";
import { DAY, MINUTE } from "../scheduling/clock.ts";
import { createPeriodicWorker, type Worker } from "../scheduling/periodic-worker.ts";
import { MAX_REQUESTED_DELAY } from "./attempt.ts";
import { endDeliveries } from "./change-deliveries.ts";
import { type Channel, isChannelOn } from "./channel.ts";
import { isWaitingIn, listWaitingChannels, listWaitingTargets, lockOf } from "./queue.ts";
import { outboxTimes } from "./worker.ts";

const INTERVAL = 10 * MINUTE;
/** How long delivered and skipped deliveries are kept. */
const KEEP_DELIVERED = 30 * DAY;
const KEEP_FAILED = 90 * DAY;
/** How long deliveries wait for a channel that is off, such as email. */
const AWAIT_CHANNEL = 3 * DAY;

interface Dependencies {
  readonly database: Database;
  readonly channels: readonly Channel[];
  readonly onError: (error: unknown) => void;
}

/** The maximum number of rows that one statement deletes. */
const BATCH_SIZE = 500;

/**
 * Deletes old deliveries, skips deliveries of channels that are off, and repairs times that a clock
 * that was ahead has written. All processes run it, first at their start.
 */
export function createDeliveryCleanup({ database, channels, onError }: Dependencies): Worker {
  async function cleanUp(stopping: AbortSignal): Promise<void> {
    const now = database.now();
    for (const channel of channels) await makeImpossibleTimesDue(database, channel);
    await skipOtherChannels(database, channels, now - AWAIT_CHANNEL);
    await deleteEnded(database, ["delivered", "skipped"], now - KEEP_DELIVERED, stopping);
    await deleteEnded(database, ["failed"], now - KEEP_FAILED, stopping);
  }
  return createPeriodicWorker(cleanUp, INTERVAL, onError, 0);
}

/**
 * Makes deliveries due whose time was stored before the clock was set back: new ones that were
 * emitted in the future, and any that wait longer than the channel's longest delay. They might wait
 * for months. Deliveries that are being attempted stay as they are.
 */
async function makeImpossibleTimesDue(
  database: Database,
  { name: channel, retryDelays }: Channel,
): Promise<void> {
  const maxDelay = Math.max(MAX_REQUESTED_DELAY, ...retryDelays);
  for (const target of await listWaitingTargets(database.db, channel)) {
    const partition = { channel, target };
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
      const end = { state: "skipped", answer, now: database.now(), emittedBefore } as const;
      await database.inTransaction((unit) => endDeliveries(unit, { channel, target }, end));
    }
  }
}

async function deleteEnded(
  { db }: Database,
  states: readonly ("delivered" | "skipped" | "failed")[],
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
