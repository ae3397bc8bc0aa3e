import type { Database } from "../db/database.ts";
import type { Announce } from "../outbox/announcement.ts";
import { WEBHOOK_CHANNEL } from "../outbox/channel.ts";
import { listDeliveries } from "../outbox/deliveries.ts";
import type { DeliveryRow } from "../outbox/queue.ts";
import { findWebhook } from "./webhook-repository.ts";

/**
 * What a test of a webhook led to: a delivery that waits, or nothing because the webhook is off or
 * unknown.
 */
export type TestOutcome =
  | { readonly kind: "stored"; readonly delivery: DeliveryRow }
  | { readonly kind: "off" }
  | { readonly kind: "unknown" };

/** Announces `webhook.test` to one webhook. */
export type TestWebhook = (id: string) => Promise<TestOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly announce: Announce;
}

/** Creates {@link TestWebhook}. */
export function createTestWebhook({ database, announce }: Dependencies): TestWebhook {
  return (id) =>
    database.inTransaction(async (unit) => {
      const webhook = await findWebhook(unit.db, id);
      if (webhook === undefined) return { kind: "unknown" };
      await announce(unit, [{ type: "webhook.test", subject: id }]);
      const lane = { channel: WEBHOOK_CHANNEL, target: id };
      const [delivery] = await listDeliveries(unit.db, lane, { limit: 1 });
      const isOurs = delivery?.type === "webhook.test" && delivery.state === "waiting";
      return webhook.is_on === 1 && isOurs ? { kind: "stored", delivery } : { kind: "off" };
    });
}
