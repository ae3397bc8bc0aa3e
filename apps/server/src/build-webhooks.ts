import manifest from "../package.json" with { type: "json" };
import type { Telemetry } from "./build-telemetry.ts";
import type { Parts } from "./parts.ts";
import { createWebhookMetrics } from "./telemetry/webhooks.ts";
import { createWebhookChannel } from "./webhooks/channel.ts";
import { createEditWebhooks } from "./webhooks/edit-webhooks.ts";
import { createEndpoints } from "./webhooks/endpoints.ts";

/**
 * Creates what tells the merchant's other systems: the channel of the outbox, and the functions
 * that change webhooks.
 */
export async function buildWebhooks(parts: Parts, { onError, metrics }: Telemetry) {
  const { database, bus, newId, log, times, postWebhook } = parts;
  const endpoints = await createEndpoints({ db: database.db, bus, onError, reread: times.reread });
  createWebhookMetrics({ registry: metrics.registry, switchedOff: () => endpoints.switchedOff });
  const editWebhooks = createEditWebhooks({
    database,
    bus,
    newId,
    settled: endpoints.settled,
    onSwitchedOff: ({ id, url, off_reason: reason }) =>
      log.warn({ webhook: id, host: new URL(url).host, reason }, "a webhook was switched off"),
  });
  const channel = createWebhookChannel({
    db: database.db,
    endpoints,
    post: postWebhook,
    switchOff: editWebhooks.switchOff,
    onError,
    now: database.now,
    version: manifest.version,
  });
  return { endpoints, editWebhooks, channel };
}
