import { randomUUID } from "node:crypto";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import type { Announcement } from "../../apps/server/src/outbox/announcement.ts";
import { lockOf, waitingTargets } from "../../apps/server/src/outbox/queue.ts";
import { createWebhookChannel } from "../../apps/server/src/webhooks/channel.ts";
import { createEditWebhooks } from "../../apps/server/src/webhooks/edit-webhooks.ts";
import { createEndpoints } from "../../apps/server/src/webhooks/endpoints.ts";
import type { PostAnswer, PostRequest } from "../../apps/server/src/webhooks/post.ts";
import { announceOn, aWorker } from "./outbox.ts";

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
) {
  const bus = createInProcessBus();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const endpoints = await createEndpoints({ db: database.db, bus, onError, reread: 60_000 });
  const switchedOff: string[] = [];
  const edit = createEditWebhooks({
    database,
    bus,
    newId: randomUUID,
    settled: endpoints.settled,
    onSwitchedOff: ({ id }) => switchedOff.push(id),
  });
  const posted: Posted[] = [];
  const channel = createWebhookChannel({
    db: database.db,
    endpoints,
    async post(request) {
      const id = request.headers["webhook-id"] ?? "";
      const { type, data } = JSON.parse(request.body);
      const attempt = posted.filter((one) => one.id === id && one.url === request.url).length + 1;
      const one = { ...request, id, type, subject: data.order_id ?? data.webhook_id, attempt };
      posted.push(one);
      return answer(one);
    },
    switchOff: edit.switchOff,
    onError,
    now: database.now,
    version: "1.0.0",
  });
  const worker = aWorker(database, [channel]);
  worker.start();
  return {
    edit,
    endpoints,
    channel,
    posted,
    switchedOff,
    errors: () => [...errors, ...worker.errors],
    announce: (...announcements: Announcement[]) =>
      announceOn(database, [channel], announcements, worker.wake),
    /** Ends the pauses of all waiting deliveries. */
    async skipPauses() {
      const targets = await waitingTargets(database.db, channel.name);
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
      endpoints.close();
    },
  };
}
