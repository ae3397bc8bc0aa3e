import { call } from "@keepsats/client";
import {
  deliverySchema,
  type NewWebhook,
  paths,
  type WebhookPatch,
  webhookSchema,
  webhooksSchema,
  webhookWithSecretSchema,
  withId,
} from "@keepsats/protocol";
import { apiQuery, post } from "../../../lib/api.ts";
import { SILENT_CHANGES_INTERVAL } from "../deliveries/queries.ts";

export const webhooksQuery = {
  ...apiQuery(paths.admin.webhooks, webhooksSchema, ["settings"]),
  refetchInterval: SILENT_CHANGES_INTERVAL,
};

/** Adds a webhook. A retry with the same address and secret adds no second one. */
export function addWebhook(webhook: NewWebhook) {
  return post(paths.admin.webhooks, webhook, webhookWithSecretSchema);
}

export function changeWebhook(id: string, patch: WebhookPatch) {
  return call({
    path: withId(paths.admin.webhook, id),
    method: "PATCH",
    body: patch,
    answer: webhookSchema,
  });
}

/** Replaces the secret of a webhook. A retry with the same secret changes nothing. */
export function changeSecret(id: string, secret: string) {
  return post(withId(paths.admin.webhookSecret, id), { secret }, webhookWithSecretSchema);
}

/** Sends a test event, which is listed in the deliveries of the webhook. */
export function testWebhook(id: string) {
  return post(withId(paths.admin.webhookTest, id), undefined, deliverySchema);
}

const SECRET_BYTES = 32;

export function createSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}
