import { isWebhookEventType, type WebhookEventType, webhookEvents } from "@keepsats/protocol";
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
    ...subjectOf(type, subject, data),
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

/** The subject of an event under its name in the payload. */
function subjectOf(type: WebhookEventType, subject: string, data: Delivery["data"]) {
  switch (type) {
    case "order.placed":
    case "order.payment_started":
    case "order.payment_failed":
    case "order.paid":
    case "order.shipped":
    case "order.delivered":
    case "order.cancelled":
    case "order.corrected":
    case "order.refunded":
    case "order.refund_reversed":
    case "order.erased":
    case "return.requested":
    case "return.accepted":
    case "return.received":
    case "return.completed":
    case "return.declined":
    case "return.withdrawn":
      return { order_id: subject };
    case "payment_issue.opened":
    case "payment_issue.resolved":
    case "payment_issue.reopened":
      // The subject of a payment issue without an order is its loan.
      return { order_id: subject === data.loan_id ? null : subject };
    case "stock.low":
      return { item_id: subject };
    case "webhook.test":
      return { webhook_id: subject };
  }
}

interface Message {
  readonly id: string;
  readonly body: string;
  /** When it is sent, in epoch milliseconds. */
  readonly at: number;
}

/**
 * The headers of Standard Webhooks that identify and sign a message. It is signed with both secrets
 * while the secret is being changed. The library is loaded with the first message.
 */
export async function signatureHeaders(
  { secret, old_secret, old_secret_until }: WebhookRow,
  { id, body, at }: Message,
): Promise<Record<string, string>> {
  const { Webhook: Signer } = await import("standardwebhooks");
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
