/** What is said of a delivery. */
interface Delivery {
  readonly channel: string;
  readonly type: string;
  readonly state: string;
  readonly answer: string | null;
}

const channels: Readonly<Record<string, string>> = {
  "mail-shopper": "Email to the shopper",
  "mail-merchant": "Email to the shop",
  webhook: "Webhook",
};

const types: Readonly<Record<string, string>> = {
  "order.placed": "placed",
  "order.payment_started": "payment started",
  "order.payment_failed": "payment failed",
  "order.paid": "paid",
  "order.shipped": "shipped",
  "order.delivered": "delivered",
  "order.cancelled": "cancelled",
  "order.corrected": "corrected",
  "order.refunded": "refunded",
  "order.erased": "erased",
  "payment_issue.opened": "payment needs attention",
  "payment_issue.resolved": "payment issue resolved",
  "stock.low": "few pieces left",
  "webhook.test": "test",
};

/** The message and its channel, such as "Email to the shopper: shipped". */
export function deliveryWords({ channel, type }: Pick<Delivery, "channel" | "type">): string {
  return `${channels[channel] ?? channel}: ${types[type] ?? type}`;
}

const states: Readonly<Record<string, string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  skipped: "Nothing to tell",
  "given-up": "Not delivered",
};

/** What became of a delivery, with the answer of the other side where it failed. */
export function outcomeWords({ state, answer }: Pick<Delivery, "state" | "answer">): string {
  const words = states[state] ?? state;
  if (state === "delivered" || answer === null) return words;
  // One that is sent again keeps its earlier answer until the next.
  return state === "waiting" ? `${words}, after: ${answer}` : `${words}: ${answer}`;
}
