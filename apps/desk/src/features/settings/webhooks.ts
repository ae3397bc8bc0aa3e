import { call, send } from "@keepsats/client";
import {
  deliverySchema,
  type NewWebhook,
  paths,
  type Webhook,
  type WebhookPatch,
  webhookSchema,
  webhookWithSecretSchema,
  withId,
} from "@keepsats/protocol";

/** Adds a webhook. Repeated with the same address and secret it adds no second one. */
export function addWebhook(webhook: NewWebhook) {
  return call({
    path: paths.merchant.webhooks,
    method: "POST",
    body: webhook,
    answer: webhookWithSecretSchema,
  });
}

/** Changes a webhook; what is absent stays. */
export function changeWebhook(id: string, patch: WebhookPatch) {
  return call({
    path: withId(paths.merchant.webhook, id),
    method: "PATCH",
    body: patch,
    answer: webhookSchema,
  });
}

/** Gives a webhook a new secret. Repeated with the same secret it changes nothing. */
export function changeSecret(id: string, secret: string) {
  return call({
    path: withId(paths.merchant.webhookSecret, id),
    method: "POST",
    body: { secret },
    answer: webhookWithSecretSchema,
  });
}

/** Tells a webhook a test. What becomes of it is among its deliveries. */
export function testWebhook(id: string) {
  return call({
    path: withId(paths.merchant.webhookTest, id),
    method: "POST",
    answer: deliverySchema,
  });
}

export function removeWebhook(id: string) {
  return send({ path: withId(paths.merchant.webhook, id), method: "DELETE" });
}

/** Whether a webhook is told, such as "On", or why not. */
export function webhookState({
  enabled,
  off_reason,
  failing_since,
}: Pick<Webhook, "enabled" | "off_reason" | "failing_since">): string {
  if (!enabled) return off_reason === null ? "Off" : `Switched off by the shop: ${off_reason}`;
  return failing_since === null ? "On" : "On, but its last message did not arrive";
}

/** What a webhook is told of. */
export function eventsWords(events: Webhook["events"]): string {
  if (events === null) return "all events";
  return events.length === 1 ? "1 event" : `${events.length} events`;
}

/**
 * An event in one sentence. What its summary adds behind a semicolon is for whoever writes the
 * receiver.
 */
export function eventSentence(summary: string): string {
  return summary.split(";", 1)[0] ?? summary;
}
