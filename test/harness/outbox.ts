import { randomUUID } from "node:crypto";
import {
  createWebhookChannel,
  createWebhookTargets,
} from "../../apps/server/src/modules/webhooks/channel.ts";
import { createEditWebhooks } from "../../apps/server/src/modules/webhooks/edit-webhooks.ts";
import type { PostAnswer, PostRequest } from "../../apps/server/src/modules/webhooks/post.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import type {
  AttemptResult,
  Channel,
  Delivery,
} from "../../apps/server/src/platform/outbox/channel.ts";
import { createDeliveryCleanup } from "../../apps/server/src/platform/outbox/cleanup.ts";
import type { DomainEvent } from "../../apps/server/src/platform/outbox/emit-events.ts";
import { createEmitEvents } from "../../apps/server/src/platform/outbox/emit-events.ts";
import { listWaitingTargets, lockOf } from "../../apps/server/src/platform/outbox/queue.ts";
import {
  createOutboxWorker,
  type OutboxTimes,
} from "../../apps/server/src/platform/outbox/worker.ts";

const quickTimes: OutboxTimes = { poll: 50, lease: 30_000, stop: 3_000 };

/** A channel that delivers everything at once to one target, unless the test says otherwise. */
export function aChannel(changes: Partial<Channel> = {}): Channel {
  return {
    name: "test",
    isOn: () => true,
    targetsOf: () => ["target"],
    deliver: async () => delivered,
    retryDelays: [1, 1],
    timeout: 10_000,
    concurrency: { total: 8, perTarget: 8 },
    perSecond: 10_000,
    ...changes,
  };
}

export const delivered: AttemptResult = { kind: "delivered", answer: "ok" };

/** Stores events as deliveries of these channels, in one transaction. */
export async function emitEventsOn(
  database: Database,
  channels: readonly Channel[],
  events: readonly DomainEvent[],
  onStored = () => {},
): Promise<void> {
  const emitEvents = createEmitEvents({ database, newId: randomUUID, channels, onStored });
  await database.inTransaction((unit) => emitEvents(unit, events));
}

/** A worker with short waits. Errors are collected, so that a test can expect none. */
export function aWorker(
  database: Database,
  channels: readonly Channel[],
  times: Partial<OutboxTimes> = {},
): ReturnType<typeof createOutboxWorker> & {
  readonly errors: unknown[];
  readonly failed: () => number;
} {
  const errors: unknown[] = [];
  let failed = 0;
  const worker = createOutboxWorker({
    database,
    channels,
    times: { ...quickTimes, ...times },
    onAttempt: () => {},
    onDeliveryFailed: () => {
      failed += 1;
    },
    onError: (error) => errors.push(error),
  });
  return { ...worker, errors, failed: () => failed };
}

/**
 * The cleanup, which runs once at its start. Errors are collected, so that a test can expect none.
 */
export function aCleanup(
  database: Database,
  channels: readonly Channel[],
): ReturnType<typeof createDeliveryCleanup> & { readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  return { ...createDeliveryCleanup({ database, channels, onError }), errors };
}

/** A deliver function that records each delivery at its start, and returns the given result. */
export function recorder(
  result: (delivery: Delivery, signal: AbortSignal) => Promise<AttemptResult> | AttemptResult,
) {
  const begun: Delivery[] = [];
  return {
    begun,
    async deliver(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
      begun.push(delivery);
      return result(delivery, signal);
    },
  };
}

/**
 * A request to a webhook that a test answers. `attempt` counts the requests with this id from 1.
 */
export interface Posted extends PostRequest {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly attempt: number;
}

export const noContent: PostAnswer = { status: 204, body: "", retryAfter: undefined };

/**
 * The webhooks of a shop on a database, with a worker that delivers, and receivers that the test
 * plays.
 */
export async function webhooksOn(
  database: Database,
  answer: (posted: Posted) => PostAnswer | Promise<PostAnswer>,
  times: Partial<OutboxTimes> = {},
) {
  const bus = createInProcessBus();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const platform = { database, bus, newId: randomUUID, onError };
  const targets = await createWebhookTargets({ ...platform, rereadInterval: 60_000 });
  const switchedOff: string[] = [];
  const edit = createEditWebhooks(platform, {
    caughtUp: targets.caughtUp,
    onSwitchedOff: ({ id }) => switchedOff.push(id),
  });
  const posted: Posted[] = [];
  const channel = createWebhookChannel(database, {
    targetsOf: targets.targetsOf,
    async post(request) {
      const id = request.headers["webhook-id"] ?? "";
      const { type, data } = JSON.parse(request.body);
      const attempt = posted.filter((one) => one.id === id && one.url === request.url).length + 1;
      const one = { ...request, id, type, subject: data.order_id ?? data.webhook_id, attempt };
      posted.push(one);
      return answer(one);
    },
    switchOff: edit.switchOff,
    version: "1.0.0",
  });
  const worker = aWorker(database, [channel], times);
  worker.start();
  return {
    edit,
    targets,
    channel,
    posted,
    switchedOff,
    errors: () => [...errors, ...worker.errors],
    emitEvents: (...events: DomainEvent[]) =>
      emitEventsOn(database, [channel], events, worker.wake),
    /** Ends the pauses of all waiting deliveries. */
    async skipPauses() {
      const targets = await listWaitingTargets(database.db, channel.name);
      await database.inTransaction(async (unit) => {
        await unit.lock(...targets.map((target) => lockOf({ channel: channel.name, target })));
        await unit.db
          .updateTable("outbox")
          .set({ next_at: 0 })
          .where("state", "=", "waiting")
          .where("leased_until", "=", 0)
          .execute();
      });
      worker.wake();
    },
    deliveriesOf: (target: string) =>
      database.db
        .selectFrom("outbox")
        .selectAll()
        .where("target", "=", target)
        .orderBy("position")
        .execute(),
    async stop() {
      await worker.stop();
      targets.close();
    },
  };
}
