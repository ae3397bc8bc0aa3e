import { isWebhookEventType, webhookEvents } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Delivery } from "../../platform/outbox/channel.ts";
import type { WebhookRow } from "./webhook-repository.ts";

/**
 * The JSON body of a delivery; `undefined` if webhooks do not receive its type.
 *
 * @param orderNumber the number of the order that is the subject, if it is one
 */
export function payloadOf(
  { type, subject, data, createdAt }: Pick<Delivery, "type" | "subject" | "data" | "createdAt">,
  orderNumber?: string,
): string | undefined {
  if (!isWebhookEventType(type)) return undefined;
  // Events have money as `cents`; the codec of `amount` encodes them as dollars.
  const { cents, ...rest } = data;
  const fields = {
    // The schema of each type has one of the three; the others are left out. A payment issue without
    // an order has its loan as the subject.
    order_id: subject === data.loan_id ? null : subject,
    item_id: subject,
    webhook_id: subject,
    order_number: orderNumber,
    ...rest,
    ...(cents === undefined ? {} : { amount: cents }),
  };
  const schema: z.ZodMiniType = webhookEvents[type].data;
  return JSON.stringify({
    type,
    timestamp: new Date(createdAt).toISOString(),
    data: z.encode(schema, fields),
  });
}

/**
 * The headers of Standard Webhooks that identify and sign a message. It is signed with both secrets
 * while the secret is being changed. The library is loaded with the first message.
 *
 * @param message `at` is when it is sent, in epoch milliseconds
 */
export async function signatureHeaders(
  { secret, old_secret, old_secret_until }: WebhookRow,
  message: { readonly id: string; readonly body: string; readonly at: number },
): Promise<Record<string, string>> {
  const { Webhook: Signer } = await import("standardwebhooks");
  const { id, body, at } = message;
  const secrets = [secret];
  if (old_secret !== null && (old_secret_until ?? 0) > at) secrets.push(old_secret);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": secrets
      .map((one) => new Signer(one).sign(id, new Date(at), body))
      .join(" "),
  };
}
