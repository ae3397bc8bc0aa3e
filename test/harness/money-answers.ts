import * as z from "zod/mini";

// The answers of the API about money as its clients read them; amounts are in dollars, or in units of
// the other currency, and times in seconds. They are written down here a second time on purpose: the
// schemas of the server describe what it sends, these describe what its clients rely on.

const issue = z.object({
  id: z.string(),
  loan_id: z.string(),
  order_id: z.nullable(z.string()),
  order_status: z.nullable(z.string()),
  kind: z.string(),
  detail: z.string(),
  /** The unresolved money of its loan; `null` if the amount is unknown. */
  open_amount: z.nullable(z.number()),
  refunded_amount: z.number(),
  /** The money of the account that it is about: of its order, or of its loan without an order. */
  balance: z.object({
    currency: z.string(),
    refundable: z.number(),
    refund_due: z.number(),
    missing: z.number(),
    unknown_amount: z.boolean(),
  }),
  opened_at: z.number(),
  resolution: z.nullable(
    z.object({ kind: z.string(), note: z.string(), by: z.string(), at: z.number() }),
  ),
});

const ledger = z.object({
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
  unknown_amounts: z.int(),
  other_currencies: z.array(
    z.object({
      currency: z.string(),
      received: z.number(),
      refunded: z.number(),
      kept: z.number(),
      refundable: z.number(),
      refund_due: z.number(),
    }),
  ),
  entries: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      loan_id: z.nullable(z.string()),
      /** `null` if it is unknown. */
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
    }),
  ),
});

const pieces = { item_id: z.string(), quantity: z.int() };
const order = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  total_price: z.number(),
  items: z.array(z.object({ id: z.string(), price: z.number(), quantity: z.int() })),
  events: z.array(
    z.object({
      kind: z.string(),
      from: z.nullable(z.string()),
      to: z.string(),
      by: z.string(),
      reason: z.nullable(z.string()),
      message: z.nullable(z.string()),
      detail: z.nullable(z.string()),
      at: z.number(),
    }),
  ),
  loans: z.array(
    z.object({
      id: z.string(),
      provider_status: z.string(),
      state: z.string(),
      amount: z.nullable(z.number()),
      is_extension: z.boolean(),
    }),
  ),
  payment_issues: z.array(issue),
  ledger,
  refund_lines: z.array(z.object({ refund_id: z.string(), ...pieces, restocked: z.int() })),
  returns: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      lines: z.array(z.object(pieces)),
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

export const moneyAnswers = {
  issue,
  issuePage: z.object({ payment_issues: z.array(issue), next_cursor: z.nullable(z.string()) }),
  order,
  refund: z.object({ id: z.string() }),
  today: z.object({
    payment_issues: z.int(),
    returns_requested: z.int(),
    returns_received: z.int(),
    refunds_due: z.object({ orders: z.int(), amount: z.number() }),
    days: z.array(
      z.object({
        day: z.string(),
        placed: z.int(),
        paid: z.int(),
        paid_amount: z.number(),
      }),
    ),
  }),
};

export type Issue = z.output<typeof issue>;
export type Ledger = z.output<typeof ledger>;
export type Order = z.output<typeof order>;
