import {
  amountFromCents,
  type Cents,
  centsFromAmount,
  currency,
  journalKinds,
} from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, secondsAsMilliseconds } from "./codecs.ts";
import { statusTextSchema } from "./orders.ts";
import { printable } from "./texts.ts";

/**
 * The kinds of payment issue.
 *
 * - `underpaid`: the loan lends less than its order costs, or nobody knows how much it lent.
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
 * How a payment issue can be resolved.
 *
 * - `refunded`: its money was refunded.
 * - `accepted`: the loan counts as the payment although it does not fit, or the shop keeps its money.
 * - `written-off`: money that is missing is given up, or money that nobody can return.
 * - `dismissed`: nothing is to do.
 */
export const resolutions = ["refunded", "accepted", "written-off", "dismissed"] as const;
export type Resolution = (typeof resolutions)[number];

/** How a payment issue was resolved, by whom and when; a newer server may send another kind. */
const resolutionSchema = z.object({
  kind: z.string().check(z.meta({ enum: resolutions })),
  note: z.string(),
  by: z.string(),
  at: secondsAsMilliseconds,
});

/** The code of the shop's currency, or the provider's name of another one, such as `Eur`. */
const currencyCode = z.string();

/**
 * The money of an account, which is that of an order, or that of one loan without an order; in the
 * currency of the payment issue's loan.
 */
const balanceSchema = z.object({
  currency: currencyCode,
  /** What may be refunded. */
  refundable: amountAsCents,
  /** What must be refunded. */
  refund_due: amountAsCents,
  /** What a paid order has not received, or what was refunded although the payout was reversed. */
  missing: amountAsCents,
  /** Whether its loan was paid out with an amount that nobody knows. */
  unknown_amount: z.boolean(),
});

/** A payment issue. Once decoded, amounts are cents and times are in milliseconds. */
export const paymentIssueSchema = z.object({
  id: z.string(),
  loan_id: z.string(),
  /** `null` if the loan has no order of the shop. */
  order_id: z.nullable(z.string()),
  /** The order's status; `null` if the shop has no such order. */
  order_status: z.nullable(statusTextSchema),
  /** `null` if the shop has no such order, or its personal data was erased. */
  customer_name: z.optional(z.nullable(z.string())),
  kind: z.enum(issueKinds),
  detail: z.string(),
  /**
   * The part of its loan's money that must still be decided about, in the currency of `balance`; 0
   * if there is none, and `null` if nobody knows how much it is.
   */
  open_amount: z.nullable(amountAsCents),
  /** The part of its loan's money that was refunded. */
  refunded_amount: amountAsCents,
  balance: balanceSchema,
  opened_at: secondsAsMilliseconds,
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

/** The body of `POST payment issues/{id}/reopening`: why the resolution was wrong. */
export const reopeningRequestSchema = z.object({ note: printable(1_000) });
export type ReopeningRequest = z.output<typeof reopeningRequestSchema>;

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

/** An amount that may be negative: a number on the wire, and cents once decoded. */
export const signedAmountAsCents = z.codec(z.number(), z.number(), {
  decode(amount, context): Cents {
    const cents = centsFromAmount(Math.abs(amount));
    if (cents !== undefined) return amount < 0 ? -cents : cents;
    context.issues.push({
      code: "custom",
      input: amount,
      message: `must be an amount of ${currency.plural} with at most two decimals`,
    });
    return z.NEVER;
  },
  encode: amountFromCents,
});

/** The body of `POST payment issues/{id}/refunds`: money that was refunded outside of the shop. */
export const issueRefundRequestSchema = z.object({
  amount: positiveAmount,
  currency: z.optional(
    printable(100).check(
      z.describe(
        "The currency of the amount, as the payment issue's balance or the ledger has it. By default that of the payment issue's loan, or US dollars without a payment issue",
      ),
    ),
  ),
  /** How it was refunded, such as `bank transfer`. */
  method: printable(100),
  /** Such as the number of the transfer. */
  reference: z.optional(printable(200)),
  /** Why it was refunded, for the merchant only. */
  reason: z.optional(printable(500)),
  expected_refunded: z.optional(
    amountAsCents.check(
      z.describe(
        "The amount `refunded` of the ledger in this currency when it was read. If it has changed, nothing is recorded, and the answer is 409 refunds_changed; a refund that an earlier request with the same Idempotency-Key has recorded is answered as before",
      ),
    ),
  ),
});
export type IssueRefundRequest = z.output<typeof issueRefundRequestSchema>;

/** The body of `POST orders/{id}/refunds`. */
export const refundRequestSchema = z.extend(issueRefundRequestSchema, {
  /** The payment issue of the order that the refund is for. */
  issue_id: z.optional(z.string().check(z.maxLength(200))),
});
export type RefundRequest = z.output<typeof refundRequestSchema>;

/** The body of a refund's reversal: why it did not arrive. */
export const refundReversalRequestSchema = z.object({ reason: printable(500) });
export type RefundReversalRequest = z.output<typeof refundReversalRequestSchema>;

/** One entry of a journal. Entries are only ever added. */
const entrySchema = z.object({
  /** It is read as any text, so that an older client accepts newer kinds. */
  kind: z.string().check(z.meta({ enum: journalKinds })),
  id: z.string(),
  loan_id: z.nullable(z.string()),
  /** Negative for money that leaves the sum of its kind; `null` if nobody knows it. */
  amount: z.nullable(signedAmountAsCents),
  currency: currencyCode,
  /** For a payout its own time, otherwise when it was recorded. */
  at: secondsAsMilliseconds,
  /** A member of staff, an API token, `provider` or `shop`. */
  by: z.string(),
  reason: z.nullable(z.string()),
  /** The refund that the entry is, or that it is about. */
  refund_id: z.nullable(z.string()),
  method: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  /** The payment issue that it belongs to. */
  issue_id: z.nullable(z.string()),
});
export type MerchantEntry = z.output<typeof entrySchema>;

const otherCurrencySchema = z.object({
  currency: currencyCode,
  received: signedAmountAsCents,
  refunded: amountAsCents,
  kept: amountAsCents,
  refundable: amountAsCents,
  refund_due: amountAsCents,
});

/**
 * The money of an order, or of a loan without an order. Once decoded, amounts are cents and times
 * are in milliseconds.
 */
export const ledgerSchema = z.object({
  /** The payouts of its loans, without those that were reversed; extensions bring no money. */
  received: signedAmountAsCents,
  /** What the shop keeps: the price of a paid order, and the money that staff decided to keep. */
  kept: amountAsCents,
  /** What staff took off the price, by accepting a loan that lends less. */
  waived: amountAsCents,
  /** What staff gave up. */
  written_off: amountAsCents,
  /** What must be refunded. */
  refund_due: amountAsCents,
  /** What may be refunded: the refund due, or the money of an order that awaits payment. */
  refundable: amountAsCents,
  refunded: amountAsCents,
  /** What a paid order has not received, or what was refunded although the payout was reversed. */
  missing: amountAsCents,
  /** How many of its loans were paid out with an amount that nobody knows. */
  unknown_amounts: z.int(),
  /** The sums in other currencies, which are in none of the sums above. */
  other_currencies: z.array(otherCurrencySchema),
  /** Oldest first. */
  entries: z.array(entrySchema),
});
export type MerchantLedger = z.output<typeof ledgerSchema>;

/** A payment issue with the ledger of its account. */
export const paymentIssueDetailSchema = z.extend(paymentIssueSchema, { ledger: ledgerSchema });
export type PaymentIssueDetail = z.output<typeof paymentIssueDetailSchema>;

/** The answer of `POST …/refunds`: the id of the refund, and the ledger after it. */
export const refundAnswerSchema = z.object({ id: z.string(), ledger: ledgerSchema });

/** The answer of `POST …/refunds/{refundId}/reversal`: the ledger after it. */
export const refundReversalAnswerSchema = z.object({ ledger: ledgerSchema });
