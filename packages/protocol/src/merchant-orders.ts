import * as z from "zod/mini";
import { amountAsCents, secondsAsMilliseconds } from "./codecs.ts";
import { deliverySchema } from "./deliveries.ts";
import { ledgerSchema, paymentIssueSchema } from "./merchant-money.ts";
import { orderIdSchema, orderLineSchema, statusTextSchema } from "./orders.ts";
import { storedAddressSchema, storedCustomer } from "./stored-people.ts";

/** The most ids that the merchant may ask for in one request of the list of orders. */
export const MAX_ORDER_IDS = 100;

/**
 * One row of the merchant's list of orders. Once decoded, amounts are cents and times are in
 * milliseconds.
 */
const orderSummarySchema = z.object({
  id: orderIdSchema,
  status: statusTextSchema,
  customer_name: z.string(),
  customer_email: z.string(),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
  /** With `updated_since` only: the time of the last change. */
  updated_at: z.optional(secondsAsMilliseconds),
});
export const orderPageSchema = z.object({
  orders: z.array(orderSummarySchema),
  next_cursor: z.nullable(z.string()),
});
export type OrderPage = z.output<typeof orderPageSchema>;

/**
 * The states of a loan.
 *
 * - `active`: requested, not paid out yet.
 * - `paid-out`: the principal was paid out. The shop keeps the money whatever happens to the loan
 *   later.
 * - `ended`: ended without a payout; it will never pay.
 * - `unknown`: the provider's status proves none of these, such as a dispute or a status that the
 *   shop does not know.
 */
export const loanStates = ["active", "paid-out", "ended", "unknown"] as const;
export type LoanState = (typeof loanStates)[number];

/** The kinds of events that this version knows. A newer server may answer others. */
export const orderEventKinds = [
  "placed",
  "moved",
  "attempt-over",
  "address-corrected",
  "shipment-corrected",
  "noted",
  "refunded",
  "refund-reversed",
  "issue-resolved",
  "issue-reopened",
  "erased",
] as const;

/**
 * One change of an order. An event that does not move the order has the same status in `from` and
 * `to`.
 */
const orderEventSchema = z.object({
  /**
   * One of {@link orderEventKinds}. It is read as any text, so that an older client accepts newer
   * kinds.
   */
  kind: z.string().check(z.meta({ enum: orderEventKinds })),
  from: z.nullable(statusTextSchema),
  to: statusTextSchema,
  by: z.string().check(z.meta({ enum: ["shopper", "provider", "shop", "merchant"] })),
  /** The name of the member of staff or of the API token, if the merchant made the change. */
  by_name: z.nullable(z.string()),
  /** Why it was made; for the merchant only. */
  reason: z.nullable(z.string()),
  /** The text of a note, or what the shopper is told about a cancellation. */
  message: z.nullable(z.string()),
  /**
   * What was changed, in words, such as `Carrier: DHL, number 123`; `null` where the statuses say
   * it all.
   */
  detail: z.nullable(z.string()),
  at: secondsAsMilliseconds,
});

/**
 * One order with its events, loans and payment issues. Once decoded, amounts are cents and times
 * are in milliseconds.
 */
export const merchantOrderSchema = z.object({
  id: orderIdSchema,
  status: statusTextSchema,
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  ...storedCustomer,
  shipping_address: storedAddressSchema,
  billing_address: storedAddressSchema,
  created_at: secondsAsMilliseconds,
  /** How the order travels, once it has shipped. */
  carrier: z.nullable(z.string()),
  tracking_number: z.nullable(z.string()),
  tracking_url: z.nullable(z.string()),
  /** What the shopper is told about a cancellation. */
  merchant_message: z.nullable(z.string()),
  /** When name, e-mail and addresses were erased; `null` while they are there. */
  erased_at: z.nullable(secondsAsMilliseconds),
  events: z.array(orderEventSchema),
  /** The notes of the merchant, oldest first. Shoppers do not see them. */
  notes: z.array(
    z.object({ text: z.string(), by_name: z.nullable(z.string()), at: secondsAsMilliseconds }),
  ),
  loans: z.array(
    z.object({
      id: z.string(),
      /** The loan provider's own status. */
      provider_status: z.string(),
      /**
       * One of {@link loanStates}. It is read as any text, so that an older client accepts newer
       * values.
       */
      state: z.string().check(z.meta({ enum: loanStates })),
      /** The amount that it lends, or lent when it was paid out; `null` if unknown. */
      amount: z.nullable(amountAsCents),
      /** The currency of the amount: `USD`, or the provider's name of another one. */
      currency: z.string(),
      /** Whether it extends another loan of the order: then it brought no money of its own. */
      is_extension: z.boolean(),
      bound_at: secondsAsMilliseconds,
    }),
  ),
  payment_issues: z.array(paymentIssueSchema),
  ledger: ledgerSchema,
  /** The letters and webhook messages about it, oldest first; at most 500. */
  deliveries: z.array(deliverySchema),
});
export type MerchantOrder = z.output<typeof merchantOrderSchema>;
