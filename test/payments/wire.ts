import * as z from "zod/mini";

// The money of the admin API as a client reads it: amounts in dollars, or in units of the
// other currency, and times in seconds. It is written down here a second time on purpose: the
// schemas of the server describe what it sends, these describe what its clients rely on.

const resolutionSchema = z.object({
  kind: z.string(),
  note: z.string(),
  by: z.string(),
  at: z.number(),
});

/** The money of the account that an issue is about: of its order, or of its loan without an order. */
const balanceSchema = z.object({
  currency: z.string(),
  refundable: z.number(),
  refund_due: z.number(),
  missing: z.number(),
  unknown_amount: z.boolean(),
});

export const issueSchema = z.object({
  id: z.string(),
  loan_id: z.string(),
  order_id: z.nullable(z.string()),
  order_status: z.nullable(z.string()),
  kind: z.string(),
  detail: z.string(),
  /** The unresolved money of its loan; `null` if the amount is unknown. */
  open_amount: z.nullable(z.number()),
  refunded_amount: z.number(),
  balance: balanceSchema,
  opened_at: z.number(),
  resolution: z.nullable(resolutionSchema),
});
export type Issue = z.output<typeof issueSchema>;

export const issuePageSchema = z.object({
  payment_issues: z.array(issueSchema),
  next_cursor: z.nullable(z.string()),
});

const entrySchema = z.object({
  kind: z.string(),
  id: z.string(),
  loan_id: z.nullable(z.string()),
  /** `null` if it is not known. */
  amount: z.nullable(z.number()),
  currency: z.string(),
  at: z.number(),
  by: z.string(),
  reason: z.nullable(z.string()),
  refund_id: z.nullable(z.string()),
  method: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  issue_id: z.nullable(z.string()),
  grant: z.nullable(z.string()),
});

const otherCurrencySchema = z.object({
  currency: z.string(),
  received: z.number(),
  refunded: z.number(),
  kept: z.number(),
  refundable: z.number(),
  refund_due: z.number(),
});

export const ledgerSchema = z.object({
  received: z.number(),
  kept: z.number(),
  waived: z.number(),
  granted: z.number(),
  grantable: z.number(),
  written_off: z.number(),
  refund_due: z.number(),
  refundable: z.number(),
  refunded: z.number(),
  missing: z.number(),
  unknown_amounts: z.number(),
  other_currencies: z.array(otherCurrencySchema),
  entries: z.array(entrySchema),
});
export type Ledger = z.output<typeof ledgerSchema>;

const eventSchema = z.object({
  kind: z.string(),
  from: z.nullable(z.string()),
  to: z.string(),
  by: z.string(),
  reason: z.nullable(z.string()),
  message: z.nullable(z.string()),
  detail: z.nullable(z.string()),
  at: z.number(),
});

const loanSchema = z.object({
  id: z.string(),
  provider_status: z.string(),
  state: z.string(),
  amount: z.nullable(z.number()),
});

export const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  total_price: z.number(),
  events: z.array(eventSchema),
  loans: z.array(loanSchema),
  payment_issues: z.array(issueSchema),
  ledger: ledgerSchema,
  refund_lines: z.array(
    z.object({
      refund_id: z.string(),
      item_id: z.string(),
      quantity: z.number(),
      restocked: z.number(),
    }),
  ),
  returns: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      reason: z.nullable(z.string()),
      message: z.nullable(z.string()),
      by: z.string(),
      refund_id: z.nullable(z.string()),
    }),
  ),
  deliveries: z.array(
    z.object({ channel: z.string(), type: z.string(), answer: z.nullable(z.string()) }),
  ),
});
export type OrderView = z.output<typeof orderSchema>;

export const refundAnswerSchema = z.object({ id: z.string() });

export const todaySchema = z.object({
  payment_issues: z.number(),
  returns_requested: z.number(),
  returns_received: z.number(),
  refunds_due: z.object({ orders: z.number(), amount: z.number() }),
  days: z.array(
    z.object({
      day: z.string(),
      placed: z.number(),
      paid: z.number(),
      paid_amount: z.number(),
    }),
  ),
  mail: z.object({ waiting: z.number() }),
});
