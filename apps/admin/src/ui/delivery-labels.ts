import type { DeliveryChannel, WebhookEventType } from "@keepsats/protocol";

interface Delivery {
  readonly channel: string;
  readonly type: string;
  readonly state: string;
  readonly answer: string | null;
}

const knownChannels: Readonly<Record<DeliveryChannel, string>> = {
  "email-customer": "Email to the customer",
  "email-merchant": "Email to the shop",
  webhook: "Webhook",
};
/** A newer version may have stored another channel. */
const channels: Readonly<Record<string, string>> = knownChannels;

const eventTypes: Readonly<Record<WebhookEventType, string>> = {
  "order.placed": "placed",
  "order.payment_started": "payment started",
  "order.payment_failed": "payment failed",
  "order.paid": "paid",
  "order.shipped": "shipped",
  "order.delivered": "delivered",
  "order.cancelled": "cancelled",
  "order.corrected": "corrected",
  "order.refunded": "refunded",
  "order.refund_reversed": "refund reversed",
  "order.erased": "erased",
  "return.requested": "return requested",
  "return.accepted": "return accepted",
  "return.received": "return received",
  "return.completed": "return completed",
  "return.declined": "return declined",
  "return.withdrawn": "return request withdrawn",
  "payment_issue.opened": "payment needs attention",
  "payment_issue.resolved": "payment issue resolved",
  "payment_issue.reopened": "payment issue reopened",
  "stock.low": "low in stock",
  "webhook.test": "test",
};
/** A newer version may have stored another type. */
const types: Readonly<Record<string, string>> = eventTypes;

/** The channel and the event of a delivery, such as "Email to the customer: shipped". */
export function deliveryLabel({ channel, type }: Pick<Delivery, "channel" | "type">): string {
  return `${channels[channel] ?? channel}: ${types[type] ?? type}`;
}

const states: Readonly<Record<string, string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  skipped: "Skipped",
  failed: "Not delivered",
};

/** The state of a delivery, with the response of the receiver unless it was delivered. */
export function outcomeLabel({ state, answer }: Pick<Delivery, "state" | "answer">): string {
  const label = states[state] ?? state;
  if (state === "delivered" || answer === null) return label;
  // A delivery that is retried keeps the response of the attempt before.
  return state === "waiting" ? `${label}, after: ${answer}` : `${label}: ${answer}`;
}
