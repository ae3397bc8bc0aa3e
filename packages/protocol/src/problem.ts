import * as z from "zod/mini";
import { amountAsCents } from "./codecs.ts";
import { statusTextSchema } from "./orders.ts";

/** The media type of every error answer (RFC 9457). */
export const problemType = "application/problem+json";

export const problemCodes = [
  "malformed",
  "unauthorized",
  "sign_in_refused",
  "forbidden",
  "wrong_origin",
  "permission_required",
  "not_found",
  "method_not_allowed",
  "ambiguous_id",
  "name_taken",
  "status_changed",
  "settings_changed",
  "transition_refused",
  "correction_refused",
  "not_erasable",
  "not_returnable",
  "return_changed",
  "item_changed",
  "categories_changed",
  "order_changed",
  "out_of_stock",
  "price_changed",
  "loan_active",
  "open_issue",
  "refunds_changed",
  "not_grantable",
  "more_than_refundable",
  "refund_due",
  "amount_unknown",
  "nothing_refunded",
  "not_acceptable",
  "nothing_to_write_off",
  "money_open",
  "resolved_already",
  "not_resolved",
  "refund_stands",
  "nothing_open",
  "reversed_already",
  "webhook_off",
  "webhook_changed",
  "mail_off",
  "mail_server_refused",
  "admin_off",
  "too_large",
  "wrong_type",
  "invalid",
  "idempotency_conflict",
  "too_many",
  "unavailable",
  "internal",
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** An item of which fewer pieces are left than were ordered. */
const shortageSchema = z.object({ item_id: z.string(), name: z.string(), left: z.int() });
export type Shortage = z.output<typeof shortageSchema>;

/** A line of an order as the customer saw it and as it is now. Prices are unit prices. */
const quotedLineSchema = z.object({
  item_id: z.string(),
  /** Absent if the item is no longer for sale. */
  name: z.optional(z.string()),
  /** The requested pieces. */
  quantity: z.int(),
  /** How many of these pieces can be bought now. */
  available: z.int(),
  /** From the request header `Expected-Prices`; `null` without it. */
  expected_price: z.nullable(amountAsCents),
  /** `null` if the item is no longer for sale. */
  price: z.nullable(amountAsCents),
});
export type QuotedLine = z.output<typeof quotedLineSchema>;

/** A payment issue that caused an error. */
const reasonSchema = z.object({ id: z.string(), kind: z.string(), detail: z.string() });

/** An error answer. `detail` is a sentence for people, `errors` has the invalid fields. */
export const problemSchema = z.object({
  title: z.string(),
  status: z.int(),
  code: z.enum(problemCodes),
  detail: z.optional(z.string()),
  /** The order's current status, if it caused the error. */
  current_status: z.optional(statusTextSchema),
  /** With `out_of_stock`, and with `price_changed` if any. */
  items: z.optional(z.array(shortageSchema)),
  /** With `price_changed`: all lines of the order, in its order. */
  lines: z.optional(z.array(quotedLineSchema)),
  /** With `price_changed`: the value of the request header `Expected-Total`. */
  expected_total: z.optional(amountAsCents),
  /** With `price_changed`: the current total of the pieces that can be bought. */
  total: z.optional(amountAsCents),
  /** With `more_than_refundable`. */
  refundable: z.optional(amountAsCents),
  /** With `refund_due`, `money_open` and `not_erasable`: what must be refunded first. */
  refund_due: z.optional(amountAsCents),
  /** The currency of `refundable` and `refund_due`; US dollars by default. */
  currency: z.optional(z.string()),
  /** With `open_issue`: the open payment issues of the order. */
  payment_issues: z.optional(z.array(reasonSchema)),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.output<typeof problemSchema>;
