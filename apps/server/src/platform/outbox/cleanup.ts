import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { MAX_CLOCK_SKEW } from "../database/leases.ts";
import { DAY, MINUTE } from "../scheduling/clock.ts";
import { createPeriodicWorker, type Worker } from "../scheduling/periodic-worker.ts";
import { MAX_REQUESTED_DELAY } from "./attempt.ts";
import type { Channel } from "./channel.ts";
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
    await makeImpossibleTimesDue(database, channels);
    await skipOtherChannels(database, channels);
    const now = database.now();
    await deleteEnded(database, ["delivered", "skipped"], now - KEEP_DELIVERED, stopping);
    await deleteEnded(database, ["failed"], now - KEEP_FAILED, stopping);
  }
  return createPeriodicWorker(cleanUp, INTERVAL, onError, 0);
}

/**
 * Makes deliveries due whose time was stored before the clock was set back: new ones that were
 * emitted in the future, and any that wait longer than the longest delay. They might wait for
 * months. Deliveries that are being attempted stay as they are.
 */
async function makeImpossibleTimesDue(
  database: Database,
  channels: readonly Channel[],
): Promise<void> {
  const now = database.now();
  const soon = now + MAX_CLOCK_SKEW;
  const maxLeaseEnd = soon + outboxTimes.lease;
  const delays = channels.flatMap(({ retryDelays }) => retryDelays);
  const maxDelay = Math.max(MAX_REQUESTED_DELAY, ...delays);
  await database.db
    .updateTable("outbox")
    .set({ next_at: now, leased_until: 0 })
    .where("state", "=", "waiting")
    .where("next_at", ">", soon)
    .where((eb) => eb.or([eb("leased_until", "<=", now), eb("leased_until", ">", maxLeaseEnd)]))
    .where((eb) =>
      eb.or([
        eb("next_at", ">", soon + maxDelay),
        eb.and([eb("attempts", "=", 0), eb("created_at", ">", soon)]),
      ]),
    )
    .execute();
}

/** Skips deliveries that have waited for long for a channel that is off. */
async function skipOtherChannels(database: Database, channels: readonly Channel[]): Promise<void> {
  const now = database.now();
  const answer = sql<string>`'not sent: the shop has no ' || channel || ' any more'`;
  await database.db
    .updateTable("outbox")
    .set({ state: "skipped", answer, ended_at: now, next_at: now })
    .where("state", "=", "waiting")
    .where("channel", "not in", [
      "",
      ...channels.filter(({ isOn }) => isOn()).map(({ name }) => name),
    ])
    .where("created_at", "<", now - AWAIT_CHANNEL)
    .where("leased_until", "<=", now)
    .execute();
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
