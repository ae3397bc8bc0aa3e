import { amountFromCents, type Cents, centsFromAmount, currency } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, secondsAsMilliseconds } from "./codecs.ts";
import { statusTextSchema } from "./orders.ts";
import { printable } from "./texts.ts";

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
  "overpaid",
] as const;
export type MismatchKind = (typeof mismatchKinds)[number];

/**
 * How a mismatch can be resolved. `given_back`: its money was given back; its amount must be known.
 * `accepted`: an underpaid contract is taken as the payment. `explained`: nothing is to do, and the
 * shop keeps its money.
 */
export const resolutions = ["given_back", "accepted", "explained"] as const;

/** How a mismatch was resolved, by whom and when; a newer server may send another kind. */
const resolutionSchema = z.object({
  kind: z.string().check(z.meta({ enum: resolutions })),
  note: z.string(),
  by: z.string(),
  at: secondsAsMilliseconds,
});

/** A mismatch. Once decoded, `amount` is cents and times are in milliseconds. */
export const mismatchSchema = z.object({
  id: z.string(),
  contract_id: z.string(),
  order_id: z.nullable(z.string()),
  /** The order's status; `null` if the shop has no such order. */
  order_status: z.nullable(statusTextSchema),
  /** `null` if the shop has no such order, or its personal data was erased. */
  customer_name: z.optional(z.nullable(z.string())),
  kind: z.enum(mismatchKinds),
  detail: z.string(),
  /**
   * The money that came in by it and pays no order; `null` if none came in, or the amount is not
   * known.
   */
  amount: z.nullable(amountAsCents),
  /**
   * What must still be recorded as given back before it can be resolved as `given_back`. Absent of
   * one that is resolved, has no amount, or has no order of the shop, and in the list of all
   * mismatches where no refund of its order is recorded.
   */
  still_owed: z.optional(amountAsCents),
  seen_at: secondsAsMilliseconds,
  /** `null` while it is open. */
  resolution: z.nullable(resolutionSchema),
});
export type MerchantMismatch = z.output<typeof mismatchSchema>;

export const mismatchesSchema = z.object({
  next_cursor: z.nullable(z.string()),
  mismatches: z.array(mismatchSchema),
});
export type Mismatches = z.output<typeof mismatchesSchema>;

/** The body of `POST mismatches/{id}/resolution`. */
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

/** The body of `POST orders/{id}/refunds`: money that was given back outside of the shop. */
export const refundRequestSchema = z.object({
  amount: positiveAmount,
  /** How it was given back, such as `bank transfer`. */
  method: printable(100),
  /** Such as the number of the transfer. */
  reference: z.optional(printable(200)),
  expected_given_back: z.optional(
    amountAsCents.check(
      z.describe(
        "What the ledger of the order had as given_back when it was read. If it is something else now, nothing is recorded, and the answer is 409 refunds_changed; a refund that an earlier request with the same Idempotency-Key has recorded is answered as before",
      ),
    ),
  ),
});
export type RefundRequest = z.output<typeof refundRequestSchema>;

const receivedEntry = z.object({
  kind: z.literal("received"),
  contract_id: z.string(),
  amount: amountAsCents,
  at: secondsAsMilliseconds,
});
const givenBackEntry = z.object({
  kind: z.literal("given_back"),
  id: z.string(),
  amount: amountAsCents,
  method: z.string(),
  reference: z.nullable(z.string()),
  by: z.string(),
  at: secondsAsMilliseconds,
});

/** The money of an order. Once decoded, amounts are cents and times are in milliseconds. */
export const ledgerSchema = z.object({
  /** What its contracts have brought, each once; extensions bring nothing. */
  received: amountAsCents,
  /** What the order keeps: its price, and what was explained. */
  kept: amountAsCents,
  /** The part of `kept` that was explained. */
  explained: amountAsCents,
  /** What must be given back. */
  owed: amountAsCents,
  /** What may be given back: what is owed, or the money of an order that still waits to be paid. */
  refundable: amountAsCents,
  given_back: amountAsCents,
  /** What a paid order has not received, for example because an underpaid contract was accepted. */
  missing: amountAsCents,
  /** Oldest first. */
  entries: z.array(z.discriminatedUnion("kind", [receivedEntry, givenBackEntry])),
});
export type MerchantLedger = z.output<typeof ledgerSchema>;

/** The answer of `POST orders/{id}/refunds`: the id of the refund, and the ledger after it. */
export const refundAnswerSchema = z.object({ id: z.string(), ledger: ledgerSchema });
