import * as z from "zod/mini";
import { amountAsCents, openEnum, secondsAsMilliseconds } from "./codecs.ts";
import { deliverySchema } from "./deliveries.ts";
import { ledgerSchema } from "./ledger.ts";
import { loanSchema } from "./loans.ts";
import {
  orderIdSchema,
  orderLineSchema,
  orderNumberSchema,
  statusTextSchema,
  storedAddressSchema,
  storedCustomer,
} from "./orders.ts";
import { paymentIssueSchema } from "./payment-issues.ts";
import { refundLineSchema } from "./refunds.ts";
import { orderReturnSchema } from "./returns.ts";

/** The maximum number of ids in one request of the list of orders. */
export const MAX_ORDER_IDS = 100;

/** One row of the list of orders. */
export const orderSummarySchema = z.object({
  id: orderIdSchema,
  number: orderNumberSchema,
  status: statusTextSchema,
  customer_name: z.string(),
  customer_email: z.string(),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
  /** With `updated_since` only: the time of the last change. */
  updated_at: z.optional(secondsAsMilliseconds),
  /** The number of pieces. Servers before 1.1.0 do not send it. */
  item_count: z.optional(z.int()),
  /**
   * The URLs of the current pictures of its first items, at most 3. Servers before 1.1.0 do not
   * send them.
   */
  pictures: z.optional(z.array(z.string())),
});
export const orderPageSchema = z.object({
  orders: z.array(orderSummarySchema),
  next_cursor: z.nullable(z.string()),
});
export type OrderPage = z.output<typeof orderPageSchema>;

/** The numbers of orders by status. */
export const orderCountsSchema = z.object({
  orders_by_status: z.array(
    z.object({
      status: statusTextSchema,
      orders: z.int(),
      /** Whether there may be more orders: counting ends at a limit. */
      more: z.boolean(),
    }),
  ),
});
export type OrderCounts = z.output<typeof orderCountsSchema>;

/** The kinds of order events that this version knows. A newer server may send others. */
export const orderEventKinds = [
  "placed",
  "moved",
  "attempt-failed",
  "address-corrected",
  "shipment-corrected",
  "noted",
  "refunded",
  "refund-reversed",
  "return-requested",
  "return-accepted",
  "return-received",
  "return-completed",
  "return-declined",
  "return-withdrawn",
  "issue-resolved",
  "issue-reopened",
  "erased",
] as const;
export type OrderEventKind = (typeof orderEventKinds)[number];

/**
 * One change of an order. An event that does not move the order has the same status in `from` and
 * `to`.
 */
export const orderEventSchema = z.object({
  kind: openEnum(orderEventKinds),
  from: z.nullable(statusTextSchema),
  to: statusTextSchema,
  by: openEnum(["customer", "provider", "shop", "staff"]),
  /** The name of the member of staff or of the API token. */
  by_name: z.nullable(z.string()),
  /** Shown to staff only. */
  reason: z.nullable(z.string()),
  /** The text of a note, or the message to the customer about a cancellation or a return. */
  message: z.nullable(z.string()),
  /** A description of the change, such as `Carrier DHL, tracking number 123`; `null` without details. */
  detail: z.nullable(z.string()),
  at: secondsAsMilliseconds,
});

/** One order with its events, loans and payment issues. */
export const adminOrderSchema = z.object({
  id: orderIdSchema,
  number: orderNumberSchema,
  status: statusTextSchema,
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  ...storedCustomer,
  shipping_address: storedAddressSchema,
  billing_address: storedAddressSchema,
  created_at: secondsAsMilliseconds,
  /** Set once the order has shipped. */
  carrier: z.nullable(z.string()),
  tracking_number: z.nullable(z.string()),
  tracking_url: z.nullable(z.string()),
  /** The message to the customer about a cancellation. */
  merchant_message: z.nullable(z.string()),
  /** When the personal data was erased; `null` while it is stored. */
  erased_at: z.nullable(secondsAsMilliseconds),
  events: z.array(orderEventSchema),
  /** Oldest first. Customers do not see them. */
  notes: z.array(
    z.object({ text: z.string(), by_name: z.nullable(z.string()), at: secondsAsMilliseconds }),
  ),
  loans: z.array(loanSchema),
  payment_issues: z.array(paymentIssueSchema),
  ledger: ledgerSchema,
  /** The lines of its granted refunds, oldest first. Servers before 1.1.0 do not send it. */
  refund_lines: z.optional(z.array(z.extend(refundLineSchema, { refund_id: z.string() }))),
  /** Oldest first. Servers before 1.1.0 do not send them. */
  returns: z.optional(z.array(orderReturnSchema)),
  /** Its emails and webhook messages, oldest first; at most 500. */
  deliveries: z.array(deliverySchema),
});
export type AdminOrder = z.output<typeof adminOrderSchema>;
