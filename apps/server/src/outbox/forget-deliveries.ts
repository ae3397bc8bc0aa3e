import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { createLoop, type Loop } from "../loop.ts";
import { LONGEST_AFTER } from "./attempt.ts";
import type { Channel } from "./channel.ts";
import { endDeliveries } from "./end-deliveries.ts";
import { type Lane, lockOf, waitingChannels, waitingTargets } from "./queue.ts";
import { outboxTimes } from "./worker.ts";

/** In milliseconds. */
export interface CleanupTimes {
  /** How long deliveries that were delivered or skipped are kept. */
  readonly keepDelivered: number;
  /** How long deliveries that were given up are kept. */
  readonly keepGivenUp: number;
  /**
   * How long deliveries wait for a channel that the shop does not have, such as mail that is
   * switched off.
   */
  readonly awaitChannel: number;
  /** The interval of the cleanup. */
  readonly cleanUp: number;
}

const DAY = 24 * 60 * 60_000;
export const cleanupTimes: CleanupTimes = {
  keepDelivered: 30 * DAY,
  keepGivenUp: 90 * DAY,
  awaitChannel: 3 * DAY,
  cleanUp: 10 * 60_000,
};

interface Dependencies {
  readonly database: Database;
  readonly channels: readonly Channel[];
  readonly times: CleanupTimes;
  readonly onError: (error: unknown) => void;
}

/** The tolerated clock skew between processes, in milliseconds. */
const CLOCKS_DIFFER = 10_000;
/** The most rows that one statement deletes. */
const AT_A_TIME = 500;

/**
 * Deletes old deliveries, skips those that wait for a channel that is switched off, and makes those
 * due whose time was written by a clock that was ahead. Every process does it, first at its start.
 */
export function createForgetDeliveries({ database, channels, times, onError }: Dependencies): Loop {
  async function cleanUp(stopping: AbortSignal): Promise<void> {
    const now = database.now();
    for (const channel of channels) await repairTimes(database, channel);
    await skipOthers(database, channels, now - times.awaitChannel);
    await remove(database, ["delivered", "skipped"], now - times.keepDelivered, stopping);
    await remove(database, ["given-up"], now - times.keepGivenUp, stopping);
  }
  return createLoop(cleanUp, times.cleanUp, onError, 0);
}

/**
 * No delivery waits longer than its channel's longest pause. A later time was stored before the
 * clock was set back: the delivery would wait for months.
 */
async function repairTimes(database: Database, { name: channel, pauses }: Channel): Promise<void> {
  const longestPause = Math.max(LONGEST_AFTER, ...pauses);
  for (const target of await waitingTargets(database.db, channel)) {
    await database.inTransaction((unit) =>
      makeImpossibleTimesDue(
        unit,
        { channel, target },
        { now: database.now, longestPause, lease: outboxTimes.lease },
      ),
    );
  }
}

/**
 * Makes the deliveries of a lane due whose time was stored before the clock was set back: a new one
 * that was announced in the future, and one that waits for longer than any pause. One that a
 * process attempts at the moment stays as it is.
 *
 * @param now the clock that all processes share
 * @param longestPause the longest time between two attempts, in milliseconds
 * @param lease the duration of a lease, in milliseconds
 */
async function makeImpossibleTimesDue(
  unit: UnitOfWork,
  lane: Lane,
  { now, longestPause, lease: duration }: { now: Clock; longestPause: number; lease: number },
): Promise<void> {
  await unit.lock(lockOf(lane));
  const at = now();
  const soon = at + CLOCKS_DIFFER;
  await unit.db
    .updateTable("outbox")
    .set({ next_at: at, leased_until: 0 })
    .where("state", "=", "waiting")
    .where("channel", "=", lane.channel)
    .where("target", "=", lane.target)
    .where("next_at", ">", soon)
    .where((eb) => eb.or([eb("leased_until", "<=", at), eb("leased_until", ">", soon + duration)]))
    .where((eb) =>
      eb.or([
        eb("next_at", ">", soon + longestPause),
        eb.and([eb("attempts", "=", 0), eb("created_at", ">", soon)]),
      ]),
    )
    .execute();
}

/**
 * Skips the deliveries of other channels than these that were announced before a time, in epoch
 * milliseconds.
 */
async function skipOthers(
  database: Database,
  channels: readonly Channel[],
  announcedBefore: number,
): Promise<void> {
  const known = new Set(channels.map(({ name }) => name));
  const others = (await waitingChannels(database.db)).filter((channel) => !known.has(channel));
  for (const channel of others) {
    const answer = `not sent: the shop has no ${channel} any more`;
    for (const target of await waitingTargets(database.db, channel)) {
      await database.inTransaction((unit) =>
        endDeliveries(
          unit,
          { channel, target },
          { state: "skipped", answer, now: database.now(), announcedBefore },
        ),
      );
    }
  }
}

type EndState = "delivered" | "skipped" | "given-up";

async function remove(
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
      .limit(AT_A_TIME);
    const { numDeletedRows } = await db
      .deleteFrom("outbox")
      .where("position", "in", old)
      // PostgreSQL checks these again after it has waited for a row: the delivery may have been
      // repeated meanwhile.
      .where("state", "in", states)
      .where("ended_at", "<", before)
      .executeTakeFirstOrThrow();
    if (numDeletedRows < AT_A_TIME) return;
    await new Promise(setImmediate);
  }
}
