import { isWebhookEventType, type WebhookEventType, webhookEvents } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Delivery } from "../outbox/channel.ts";

/** The JSON that is sent for a delivery; `undefined` if webhooks are not told of its type. */
export function payloadOf({
  type,
  subject,
  data,
  createdAt,
}: Omit<Delivery, "id" | "target">): string | undefined {
  if (!isWebhookEventType(type)) return undefined;
  // An announcement has money as `cents`; the codec of `amount` makes dollars of them.
  const { cents, ...rest } = data;
  const facts = {
    ...subjectOf(type, subject, data),
    ...rest,
    ...(cents === undefined ? {} : { amount: cents }),
  };
  const schema: z.ZodMiniType = webhookEvents[type].data;
  return JSON.stringify({
    type,
    timestamp: new Date(createdAt).toISOString(),
    data: z.encode(schema, facts),
  });
}

/** What an announcement is about, under the name that it has in the payload. */
function subjectOf(type: WebhookEventType, subject: string, data: Delivery["data"]) {
  if (type === "webhook.test") return { webhook_id: subject };
  if (type === "stock.low") return { item_id: subject };
  // The subject of a payment issue without an order is its loan.
  return { order_id: subject === data.loan_id ? null : subject };
}
