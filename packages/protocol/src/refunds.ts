import * as z from "zod/mini";
import { amountAsCents, positiveAmountAsCents } from "./codecs.ts";
import { ledgerSchema } from "./ledger.ts";
import { printable } from "./texts.ts";

/** The body of `POST payment-issues/{id}/refunds`: money that was refunded outside of the shop. */
export const issueRefundRequestSchema = z.object({
  amount: positiveAmountAsCents,
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
  /** Why it was refunded; shown to staff only. */
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

/** The answer of `POST …/refunds`: the id of the refund, and the ledger after it. */
export const refundAnswerSchema = z.object({ id: z.string(), ledger: ledgerSchema });

/** The body of `POST …/refunds/{refundId}/reversal`: why the refund did not arrive. */
export const refundReversalRequestSchema = z.object({ reason: printable(500) });
export type RefundReversalRequest = z.output<typeof refundReversalRequestSchema>;

/** The answer of `POST …/refunds/{refundId}/reversal`: the ledger after it. */
export const refundReversalAnswerSchema = z.object({ ledger: ledgerSchema });
