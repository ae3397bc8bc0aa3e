import { grantKinds } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, openEnum } from "./codecs.ts";
import { orderIdSchema, orderNumberSchema, statusTextSchema } from "./orders.ts";
import { issueKinds, resolutions } from "./payment-issues.ts";
import { refundLineSchema } from "./refunds.ts";

const order = z.object({ order_id: orderIdSchema, order_number: orderNumberSchema });
/** `from` and `to` are the status before and after the move. */
const move = z.extend(order, { from: statusTextSchema, to: statusTextSchema });
const ofReturn = z.extend(order, { return_id: z.string() });
const issue = z.object({
  issue_id: z.string(),
  loan_id: z.string(),
  /** `null` if the loan names no order of the shop. */
  order_id: z.nullable(orderIdSchema),
  /** Absent if the loan names no order of the shop. */
  order_number: orderNumberSchema,
  kind: openEnum(issueKinds),
});
/** `refund_due` is what must still be refunded in this currency. */
const refund = z.extend(order, {
  refund_id: z.string(),
  amount: amountAsCents,
  currency: z.string(),
  refund_due: amountAsCents,
});

/**
 * The events that are sent to webhooks, and the `data` of each type. It names the object that has
 * changed and has no personal data: the receiver reads the rest from the admin API.
 */
export const webhookEvents = {
  "order.placed": { summary: "An order was placed", data: order },
  "order.payment_started": { summary: "A loan for the order is active", data: move },
  "order.payment_failed": {
    summary: "A loan for the order ended without a payout; the order can be paid again",
    data: z.extend(order, { from: z.optional(statusTextSchema), to: z.optional(statusTextSchema) }),
  },
  "order.paid": { summary: "The order is paid", data: move },
  "order.shipped": { summary: "The order was shipped", data: move },
  "order.delivered": { summary: "The order was delivered", data: move },
  "order.cancelled": { summary: "The order was cancelled", data: move },
  "order.corrected": {
    summary: "The address or the tracking of the order was corrected",
    data: order,
  },
  "order.refunded": {
    summary:
      "Money was refunded; `refund_due` is what must still be refunded for the order. A refund that staff granted has `grant` and `lines`, and that of a return has `return_id`",
    data: z.extend(refund, {
      grant: z.optional(openEnum(grantKinds)),
      lines: z.optional(z.array(refundLineSchema)),
      return_id: z.optional(z.string()),
    }),
  },
  "order.refund_reversed": {
    summary:
      "A refund did not arrive, and the shop has the money again; `refund_due` is what must be refunded for the order",
    data: refund,
  },
  "return.requested": { summary: "A customer requested a return of items", data: ofReturn },
  "return.accepted": { summary: "Staff accepted a return, or opened one", data: ofReturn },
  "return.received": { summary: "The items of a return have arrived", data: ofReturn },
  "return.completed": {
    summary: "Staff completed a received return without a refund",
    data: ofReturn,
  },
  "return.declined": { summary: "Staff declined a return", data: ofReturn },
  "return.withdrawn": { summary: "The customer withdrew a requested return", data: ofReturn },
  "order.erased": {
    summary: "The personal data of the order was erased: erase your copies of it",
    data: order,
  },
  "payment_issue.opened": {
    summary:
      "A payment does not fit its order; `open_amount` is the money that staff must decide about, null if unknown",
    data: z.extend(issue, { open_amount: z.nullable(amountAsCents), currency: z.string() }),
  },
  "payment_issue.resolved": {
    summary: "A payment issue was resolved",
    data: z.extend(issue, { resolution: openEnum(resolutions) }),
  },
  "payment_issue.reopened": {
    summary: "Staff undid the resolution of a payment issue; it is open again",
    data: issue,
  },
  "stock.low": {
    summary: "Few pieces of an item are left",
    data: z.object({ item_id: z.string(), stock: z.int() }),
  },
  "webhook.test": {
    summary: "A test message, sent to one webhook on request, whatever its events are",
    data: z.object({ webhook_id: z.string() }),
  },
} as const;
export type WebhookEventType = keyof typeof webhookEvents;
export const webhookEventTypes = Object.keys(webhookEvents).filter(isWebhookEventType);

export function isWebhookEventType(type: string): type is WebhookEventType {
  return Object.hasOwn(webhookEvents, type);
}

/** The body that is sent for an event. `timestamp` is the time of the event. */
export function webhookPayloadSchema<Type extends WebhookEventType>(type: Type) {
  return z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime(),
    data: webhookEvents[type].data,
  });
}
