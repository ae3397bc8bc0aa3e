import { orderStatuses } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents } from "./amount.ts";
import { printable } from "./merchant-items.ts";
import { orderLineSchema } from "./orders.ts";
import { storedAddressSchema, storedCustomer } from "./stored-people.ts";
import { secondsAsMilliseconds } from "./time.ts";

const statusSchema = z.enum(orderStatuses);

/** One row of the merchant's list of orders. Once decoded, amounts are cents and times are in milliseconds. */
const orderSummarySchema = z.object({
  id: z.string(),
  status: statusSchema,
  customer_name: z.string(),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
});
export const orderPageSchema = z.object({
  orders: z.array(orderSummarySchema),
  next_cursor: z.nullable(z.string()),
});
export type OrderPage = z.output<typeof orderPageSchema>;

/** Why a contract does not pay the order that it was meant for, or what is owed because of it. */
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
 * What the state of a loan means for its order. `processing`: it is under way. `paid`: the principal has been given.
 * `over`: this attempt will never pay. `unknown`: the provider's word proves neither.
 */
export const contractMeanings = ["processing", "paid", "over", "unknown"] as const;

/** Everything the merchant may know of one order. Once decoded, amounts are cents and times are in milliseconds. */
export const merchantOrderSchema = z.object({
  id: z.string(),
  status: statusSchema,
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  ...storedCustomer,
  shipping_address: storedAddressSchema,
  billing_address: storedAddressSchema,
  created_at: secondsAsMilliseconds,
  events: z.array(
    z.object({
      from: z.nullable(statusSchema),
      to: statusSchema,
      by: z.string().check(z.meta({ enum: ["shopper", "provider", "merchant"] })),
      reason: z.nullable(z.string()),
      at: secondsAsMilliseconds,
    }),
  ),
  contracts: z.array(
    z.object({
      id: z.string(),
      /** The loan provider's own word. */
      status: z.string(),
      /** One of {@link contractMeanings}; read as plain text, so that an older reader bears newer ones. */
      meaning: z.string().check(z.meta({ enum: contractMeanings })),
      /** What it lends, or lent when it was paid out; `null` where that is not known. */
      amount: z.nullable(amountAsCents),
      /** The contract that it goes on with; it brought no money of its own. */
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

/** The body of a merchant's move of an order. */
export const transitionRequestSchema = z.object({
  to: statusSchema,
  /** The status that the merchant has seen: an order that has another by now is left as it is. */
  expected_status: z.optional(statusSchema),
  reason: z.optional(printable(500)),
});
export type TransitionRequest = z.output<typeof transitionRequestSchema>;
/** What came of it: `changed` is false where the order was there already. */
export const transitionAnswerSchema = z.object({
  id: z.string(),
  status: statusSchema,
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
