import { call, send } from "@keepsats/client";
import {
  deliverySchema,
  paths,
  type WebhookPatch,
  webhookSchema,
  webhookWithSecretSchema,
  withId,
} from "@keepsats/protocol";
import type { WebhookFields } from "./webhook-form.tsx";

/** Adds a webhook. Repeated with the same address and secret it adds no second one. */
export function addWebhook(fields: WebhookFields & { readonly secret: string }) {
  return call({
    path: paths.merchant.webhooks,
    method: "POST",
    body: fields,
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
