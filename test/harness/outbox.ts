import { randomUUID } from "node:crypto";
import type { Database } from "../../apps/server/src/db/database.ts";
import type { Announcement } from "../../apps/server/src/outbox/announcement.ts";
import type { Attempt, Channel, Delivery } from "../../apps/server/src/outbox/channel.ts";
import {
  cleanupTimes,
  createForgetDeliveries,
} from "../../apps/server/src/outbox/forget-deliveries.ts";
import { createAnnounce } from "../../apps/server/src/outbox/outbox.ts";
import { createOutboxWorker, type OutboxTimes } from "../../apps/server/src/outbox/worker.ts";

const quickTimes: OutboxTimes = { look: 50, lease: 30_000, lastAttempts: 3_000 };

/** A channel that delivers everything at once to one target, unless the test says otherwise. */
export function aChannel(changes: Partial<Channel> = {}): Channel {
  return {
    name: "test",
    targetsOf: () => ["target"],
    deliver: async () => delivered,
    pauses: [1, 1],
    timeLimit: 10_000,
    atOnce: { all: 8, target: 8 },
    perSecond: 10_000,
    ...changes,
  };
}

export const delivered: Attempt = { kind: "delivered", answer: "ok" };

/** Stores announcements as deliveries of these channels, in one transaction. */
export async function announceOn(
  database: Database,
  channels: readonly Channel[],
  announcements: readonly Announcement[],
  onStored = () => {},
): Promise<void> {
  const announce = createAnnounce({ now: database.now, newId: randomUUID, channels, onStored });
  await database.inTransaction((unit) => announce(unit, announcements));
}

/** A worker with short waits. Errors are collected, so that a test can expect none. */
export function aWorker(
  database: Database,
  channels: readonly Channel[],
  times: Partial<OutboxTimes> = {},
): ReturnType<typeof createOutboxWorker> & {
  readonly errors: unknown[];
  readonly givenUp: () => number;
} {
  const errors: unknown[] = [];
  let givenUp = 0;
  const worker = createOutboxWorker({
    database,
    channels,
    random: Math.random,
    times: { ...quickTimes, ...times },
    onAttempt: () => {},
    onGivenUp: () => {
      givenUp += 1;
    },
    onError: (error) => errors.push(error),
  });
  return { ...worker, errors, givenUp: () => givenUp };
}

/**
 * The cleanup, which runs once at its start. Errors are collected, so that a test can expect none.
 */
export function aCleanup(
  database: Database,
  channels: readonly Channel[],
): ReturnType<typeof createForgetDeliveries> & { readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  return {
    ...createForgetDeliveries({ database, channels, times: cleanupTimes, onError }),
    errors,
  };
}

/** A deliver function that records each delivery when it begins, and then does as it is told. */
export function recorder(
  result: (delivery: Delivery, signal: AbortSignal) => Promise<Attempt> | Attempt,
) {
  const begun: Delivery[] = [];
  return {
    begun,
    async deliver(delivery: Delivery, signal: AbortSignal): Promise<Attempt> {
      begun.push(delivery);
      return result(delivery, signal);
    },
  };
}
