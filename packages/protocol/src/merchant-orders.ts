import { orderStatuses } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents } from "./amount.ts";
import { printable } from "./merchant-items.ts";
import { orderLineSchema, statusTextSchema } from "./orders.ts";
import { storedAddressSchema, storedCustomer } from "./stored-people.ts";
import { secondsAsMilliseconds } from "./time.ts";

/** One row of the merchant's list of orders. Once decoded, amounts are cents and times are in milliseconds. */
const orderSummarySchema = z.object({
  id: z.string(),
  status: statusTextSchema,
  customer_name: z.string(),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
});
export const orderPageSchema = z.object({
  orders: z.array(orderSummarySchema),
  next_cursor: z.nullable(z.string()),
});
export type OrderPage = z.output<typeof orderPageSchema>;

/** The kinds of mismatch: why a contract does not pay its order, or that a refund is owed. */
export const mismatchKinds = [
  "foreign",
  "reused",
  "wrong-asset",
  "underpaid",
  "second",
  "paid-after-cancel",
  "renamed",
  "changed-after-paid",
  "dispute",
  "unknown-status",
  "not-understood",
  "refund-owed",
] as const;
export type MismatchKind = (typeof mismatchKinds)[number];

/**
 * The meaning of a loan's state for its order. `processing`: not paid out yet. `paid`: the principal was paid out.
 * `over`: it will never pay. `unknown`: the provider's status proves none of these.
 */
export const contractMeanings = ["processing", "paid", "over", "unknown"] as const;

/**
 * One order with its events, contracts and mismatches. Once decoded, amounts are cents and times are in milliseconds.
 */
export const merchantOrderSchema = z.object({
  id: z.string(),
  status: statusTextSchema,
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  ...storedCustomer,
  shipping_address: storedAddressSchema,
  billing_address: storedAddressSchema,
  created_at: secondsAsMilliseconds,
  events: z.array(
    z.object({
      from: z.nullable(statusTextSchema),
      to: statusTextSchema,
      by: z.string().check(z.meta({ enum: ["shopper", "provider", "merchant"] })),
      reason: z.nullable(z.string()),
      at: secondsAsMilliseconds,
    }),
  ),
  contracts: z.array(
    z.object({
      id: z.string(),
      /** The loan provider's own status. */
      status: z.string(),
      /** One of {@link contractMeanings}. It is read as any text, so that an older client accepts newer values. */
      meaning: z.string().check(z.meta({ enum: contractMeanings })),
      /** The amount that it lends, or lent when it was paid out; `null` if unknown. */
      amount: z.nullable(amountAsCents),
      /** The id of the contract that it extends; an extension brings no money of its own. */
      extends: z.nullable(z.string()),
      bound_at: secondsAsMilliseconds,
    }),
  ),
  mismatches: z.array(
    z.object({
      contract_id: z.string(),
      kind: z.enum(mismatchKinds),
      detail: z.string(),
      seen_at: secondsAsMilliseconds,
    }),
  ),
});
export type MerchantOrder = z.output<typeof merchantOrderSchema>;

/** The body of a merchant's status change. */
export const transitionRequestSchema = z.object({
  to: z.enum(orderStatuses),
  /** The status that the merchant has seen. If the order has another one now, it is not changed. */
  expected_status: z.optional(statusTextSchema),
  reason: z.optional(printable(500)),
});
export type TransitionRequest = z.output<typeof transitionRequestSchema>;
/** The result: `changed` is false if the order had the status already. */
export const transitionAnswerSchema = z.object({
  id: z.string(),
  status: statusTextSchema,
  changed: z.boolean(),
});
export type TransitionAnswer = z.output<typeof transitionAnswerSchema>;

export const mismatchesSchema = z.object({
  next_cursor: z.nullable(z.string()),
  mismatches: z.array(
    z.object({
      contract_id: z.string(),
      order_id: z.nullable(z.string()),
      kind: z.enum(mismatchKinds),
      detail: z.string(),
      seen_at: secondsAsMilliseconds,
    }),
  ),
});
export type Mismatches = z.output<typeof mismatchesSchema>;
