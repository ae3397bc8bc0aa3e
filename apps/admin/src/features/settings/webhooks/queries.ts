import { call, send } from "@keepsats/client";
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
import { queryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { SILENT_CHANGES_INTERVAL } from "../deliveries/queries.ts";

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  meta: { topics: ["settings"] },
  refetchInterval: SILENT_CHANGES_INTERVAL,
  queryFn: ({ signal }) => call({ path: paths.admin.webhooks, answer: webhooksSchema, signal }),
});

/** Adds a webhook. A retry with the same address and secret adds no second one. */
export function addWebhook(webhook: NewWebhook) {
  return call({
    path: paths.admin.webhooks,
    method: "POST",
    body: webhook,
    answer: webhookWithSecretSchema,
  });
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
  return call({
    path: withId(paths.admin.webhookSecret, id),
    method: "POST",
    body: { secret },
    answer: webhookWithSecretSchema,
  });
}

/** Sends a test event, which is listed in the deliveries of the webhook. */
export function testWebhook(id: string) {
  return call({
    path: withId(paths.admin.webhookTest, id),
    method: "POST",
    answer: deliverySchema,
  });
}

export function removeWebhook(id: string) {
  return send({ path: withId(paths.admin.webhook, id), method: "DELETE" });
}

const SECRET_BYTES = 32;

/**
 * A new secret for a webhook. It stays the same until `renew` is called, so that a retry after a
 * lost answer sends the same secret.
 */
export function useNewSecret() {
  const [secret, setSecret] = useState(createSecret);
  return { secret, renew: () => setSecret(createSecret) };
}

function createSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}
