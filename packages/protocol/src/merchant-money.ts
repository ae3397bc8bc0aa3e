import { amountFromCents, type Cents, centsFromAmount, currency } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, secondsAsMilliseconds } from "./codecs.ts";
import { statusTextSchema } from "./orders.ts";
import { printable } from "./texts.ts";

/**
 * The kinds of payment issue.
 *
 * - `underpaid`: the loan lends less than its order costs.
 * - `overpaid`: the loan has paid its order with more than it costs.
 * - `wrong-currency`: the loan lends another asset than US dollars.
 * - `unknown-order`: the loan names no order of the shop, or another one than it was meant for.
 * - `duplicate`: the order was paid by another loan before.
 * - `paid-after-cancel`: the order is cancelled, and its money must be refunded.
 * - `disputed`: the provider reports a dispute.
 * - `changed-after-payout`: the provider changed the loan after it was paid out.
 * - `unrecognized`: the provider reports a status or a form that this version does not know.
 */
export const issueKinds = [
  "underpaid",
  "overpaid",
  "wrong-currency",
  "unknown-order",
  "duplicate",
  "paid-after-cancel",
  "disputed",
  "changed-after-payout",
  "unrecognized",
] as const;
export type IssueKind = (typeof issueKinds)[number];

/**
 * How a payment issue can be resolved. `refunded`: its money was refunded; its amount must be
 * known. `accepted`: an underpaid loan counts as the payment. `dismissed`: nothing is to do, and
 * the shop keeps its money.
 */
export const resolutions = ["refunded", "accepted", "dismissed"] as const;

/** How a payment issue was resolved, by whom and when; a newer server may send another kind. */
const resolutionSchema = z.object({
  kind: z.string().check(z.meta({ enum: resolutions })),
  note: z.string(),
  by: z.string(),
  at: secondsAsMilliseconds,
});

/** A payment issue. Once decoded, `amount` is cents and times are in milliseconds. */
export const paymentIssueSchema = z.object({
  id: z.string(),
  loan_id: z.string(),
  order_id: z.nullable(z.string()),
  /** The order's status; `null` if the shop has no such order. */
  order_status: z.nullable(statusTextSchema),
  /** `null` if the shop has no such order, or its personal data was erased. */
  customer_name: z.optional(z.nullable(z.string())),
  kind: z.enum(issueKinds),
  detail: z.string(),
  /** The received money that pays no order; `null` if none was received, or it is not known. */
  amount: z.nullable(amountAsCents),
  /**
   * The amount of refunds that must be recorded before it can be resolved as `refunded`. Absent if
   * it is resolved, has no amount, or has no order of the shop, and in the list of all payment
   * issues if no refund of its order is recorded.
   */
  refund_due: z.optional(amountAsCents),
  seen_at: secondsAsMilliseconds,
  /** `null` while it is open. */
  resolution: z.nullable(resolutionSchema),
});
export type PaymentIssue = z.output<typeof paymentIssueSchema>;

export const paymentIssuesSchema = z.object({
  payment_issues: z.array(paymentIssueSchema),
  next_cursor: z.nullable(z.string()),
});
export type PaymentIssues = z.output<typeof paymentIssuesSchema>;

/** The body of `POST payment issues/{id}/resolution`. */
export const resolutionRequestSchema = z.object({
  kind: z.enum(resolutions),
  note: printable(1_000),
});
export type ResolutionRequest = z.output<typeof resolutionRequestSchema>;

/** An amount above 0 without a fraction of a cent: a number on the wire, and cents once decoded. */
const positiveAmount = z.codec(z.number().check(z.meta({ exclusiveMinimum: 0 })), z.number(), {
  decode(amount, context): Cents {
    const cents = centsFromAmount(amount);
    if (cents !== undefined && cents > 0) return cents;
    context.issues.push({
      code: "custom",
      input: amount,
      message: `must be an amount of ${currency.plural} above 0 with at most two decimals`,
    });
    return z.NEVER;
  },
  encode: amountFromCents,
});

/** The body of `POST orders/{id}/refunds`: money that was refunded outside of the shop. */
export const refundRequestSchema = z.object({
  amount: positiveAmount,
  /** How it was refunded, such as `bank transfer`. */
  method: printable(100),
  /** Such as the number of the transfer. */
  reference: z.optional(printable(200)),
  expected_refunded: z.optional(
    amountAsCents.check(
      z.describe(
        "The amount `refunded` of the order's ledger when it was read. If it has changed, nothing is recorded, and the answer is 409 refunds_changed; a refund that an earlier request with the same Idempotency-Key has recorded is answered as before",
      ),
    ),
  ),
});
export type RefundRequest = z.output<typeof refundRequestSchema>;

const receivedEntry = z.object({
  kind: z.literal("received"),
  loan_id: z.string(),
  amount: amountAsCents,
  at: secondsAsMilliseconds,
});
const refundedEntry = z.object({
  kind: z.literal("refunded"),
  id: z.string(),
  amount: amountAsCents,
  method: z.string(),
  reference: z.nullable(z.string()),
  by: z.string(),
  at: secondsAsMilliseconds,
});

/** The money of an order. Once decoded, amounts are cents and times are in milliseconds. */
export const ledgerSchema = z.object({
  /** The principal of its loans, each once; extensions bring no money. */
  received: amountAsCents,
  /** What the order keeps: its price, and the money that staff keep. */
  kept: amountAsCents,
  /** The part of `kept` that staff keep, by dismissing its payment issue. */
  kept_by_staff: amountAsCents,
  /** What must be refunded. */
  refund_due: amountAsCents,
  /** What may be refunded: the refund due, or the money of an order that awaits payment. */
  refundable: amountAsCents,
  refunded: amountAsCents,
  /** What a paid order has not received, for example because an underpaid loan was accepted. */
  missing: amountAsCents,
  /** Oldest first. */
  entries: z.array(z.discriminatedUnion("kind", [receivedEntry, refundedEntry])),
});
export type MerchantLedger = z.output<typeof ledgerSchema>;

/** The answer of `POST orders/{id}/refunds`: the id of the refund, and the ledger after it. */
export const refundAnswerSchema = z.object({ id: z.string(), ledger: ledgerSchema });
