import { grantKinds, MAX_LINES, shopCurrency } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, positiveAmountAsCents } from "./codecs.ts";
import { ledgerSchema } from "./ledger.ts";
import { eachItemOnce, requestedPiecesSchema } from "./orders.ts";
import { singleLine } from "./texts.ts";

const { code: usd } = shopCurrency;

/** The body of `POST payment-issues/{id}/refunds`: money that was refunded outside the shop. */
export const issueRefundRequestSchema = z.object({
  amount: positiveAmountAsCents,
  currency: z.optional(
    singleLine(100).check(
      z.describe(
        "The currency of the amount, as the payment issue's balance or the ledger has it. By default that of the payment issue's loan, or US dollars without a payment issue",
      ),
    ),
  ),
  /** How it was refunded, such as `bank transfer`. */
  method: singleLine(100),
  /** Such as the number of the transfer. */
  reference: z.optional(singleLine(200)),
  /** Why it was refunded; shown to staff only. */
  reason: z.optional(singleLine(500)),
  expected_refunded: z.optional(
    amountAsCents.check(
      z.describe(
        "The amount `refunded` of the ledger in this currency when it was read. If it has changed, nothing is recorded, and the answer is 409 refunds_changed; a refund that an earlier request with the same Idempotency-Key has recorded is answered as before",
      ),
    ),
  ),
});

/** The pieces of an order's line that a granted refund is for. */
const grantedLineSchema = z
  .extend(requestedPiecesSchema, {
    /** How many of these pieces return to the stock. */
    restock: z.optional(z.int().check(z.gte(0))),
  })
  .check(
    z.refine(({ quantity, restock = 0 }) => restock <= quantity, {
      path: ["restock"],
      error: "is more than the quantity",
    }),
  );

const storedText = z.string().check(z.maxLength(200));

/** The body of `POST orders/{id}/refunds`. */
export const refundRequestSchema = z
  .extend(issueRefundRequestSchema, {
    /** The payment issue of the order that the refund is for. */
    issue_id: z.optional(storedText),
    grant: z.optional(
      z
        .enum(grantKinds)
        .check(
          z.describe(
            "Refunds money of a paid order that is not due: for items that came back, or as goodwill. Without it, only money that is due can be refunded",
          ),
        ),
    ),
    lines: z.optional(
      z
        .array(grantedLineSchema)
        .check(
          z.minLength(1),
          z.maxLength(MAX_LINES),
          eachItemOnce,
          z.describe("The items that a granted refund is for. They do not determine the amount"),
        ),
    ),
    return_id: z.optional(
      storedText.check(
        z.describe(
          "A received return of the order, whose pieces the lines name. It becomes refunded",
        ),
      ),
    ),
  })
  .check(
    z.refine(({ grant, lines }) => grant !== undefined || lines === undefined, {
      path: ["lines"],
      error: "needs a grant",
    }),
    z.refine(
      ({ grant, lines, return_id }) =>
        return_id === undefined || (grant === "return" && lines !== undefined),
      { path: ["return_id"], error: 'needs the grant "return" and lines' },
    ),
    z.refine(({ grant, issue_id }) => grant === undefined || issue_id === undefined, {
      path: ["issue_id"],
      error: "is not for a granted refund",
    }),
    z.refine(({ grant, currency = usd }) => grant === undefined || currency === usd, {
      path: ["currency"],
      error: `of a granted refund is ${usd}`,
    }),
  );
export type RefundRequest = z.output<typeof refundRequestSchema>;

/** A line of an order as a granted refund has it. */
export const refundLineSchema = z.object({
  item_id: z.string(),
  quantity: z.int(),
  /** The pieces that were added to the stock: 0 if the item has no stock count. */
  restocked: z.int(),
});
export type RefundLine = z.output<typeof refundLineSchema>;

/** The answer of `POST …/refunds`: the id of the refund, and the ledger after it. */
export const refundAnswerSchema = z.object({ id: z.string(), ledger: ledgerSchema });

/** The body of `POST …/refunds/{refundId}/reversal`: why the refund did not arrive. */
export const refundReversalRequestSchema = z.object({ reason: singleLine(500) });

/** The answer of `POST …/refunds/{refundId}/reversal`: the ledger after it. */
export const refundReversalAnswerSchema = z.object({ ledger: ledgerSchema });
