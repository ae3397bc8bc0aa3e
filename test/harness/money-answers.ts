import * as z from "zod/mini";

/**
 * The answers of the API about money as its clients read them; times are in seconds. They are written
 * down here a second time on purpose: the schemas of the server describe what it sends, these
 * describe what its clients rely on.
 *
 * @param amount reads an amount, which the API sends in dollars or in units of the other currency
 */
function moneyAnswers(amount: z.ZodMiniType<number>) {
  const issue = z.object({
    id: z.string(),
    loan_id: z.string(),
    order_id: z.nullable(z.string()),
    order_status: z.nullable(z.string()),
    kind: z.string(),
    detail: z.string(),
    /** The unresolved money of its loan; `null` if the amount is unknown. */
    open_amount: z.nullable(amount),
    refunded_amount: amount,
    /** The money of the account that it is about: of its order, or of its loan without an order. */
    balance: z.object({
      currency: z.string(),
      refundable: amount,
      refund_due: amount,
      missing: amount,
      unknown_amount: z.boolean(),
    }),
    opened_at: z.number(),
    resolution: z.nullable(
      z.object({ kind: z.string(), note: z.string(), by: z.string(), at: z.number() }),
    ),
  });

  const ledger = z.object({
    received: amount,
    kept: amount,
    waived: amount,
    granted: amount,
    grantable: amount,
    written_off: amount,
    refund_due: amount,
    refundable: amount,
    refunded: amount,
    missing: amount,
    unknown_amounts: z.int(),
    other_currencies: z.array(
      z.object({
        currency: z.string(),
        received: amount,
        refunded: amount,
        kept: amount,
        refundable: amount,
        refund_due: amount,
      }),
    ),
    entries: z.array(
      z.object({
        kind: z.string(),
        id: z.string(),
        loan_id: z.nullable(z.string()),
        /** `null` if it is unknown. */
        amount: z.nullable(amount),
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
    total_price: amount,
    items: z.array(z.object({ id: z.string(), price: amount, quantity: z.int() })),
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
        amount: z.nullable(amount),
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

  return {
    issue,
    issueWithLedger: z.extend(issue, { ledger }),
    issuePage: z.object({ payment_issues: z.array(issue), next_cursor: z.nullable(z.string()) }),
    ledger,
    order,
    placedOrder: z.object({ id: z.string(), key: z.string(), total_price: amount }),
    refund: z.object({ id: z.string() }),
    receipts: z.object({
      receipts: z.array(z.object({ kind: z.string(), total: amount, reduction: amount })),
    }),
    today: z.object({
      payment_issues: z.int(),
      returns_requested: z.int(),
      returns_received: z.int(),
      refunds_due: z.object({ orders: z.int(), amount }),
      days: z.array(
        z.object({ day: z.string(), placed: z.int(), paid: z.int(), paid_amount: amount }),
      ),
      mail: z.object({ waiting: z.int() }),
    }),
    books: z.object({
      currencies: z.array(
        z.object({
          currency: z.string(),
          sums: z.array(z.object({ entries: z.int() })),
          closing: z.object({ held: amount, refund_due: amount }),
        }),
      ),
    }),
    items: z.object({
      items: z.array(z.object({ id: z.string(), stock: z.nullable(z.int()) })),
    }),
  };
}

const wholeCents = z.number().check(
  z.refine((dollars) => Math.abs(Math.round(dollars * 100) - dollars * 100) <= 1e-6, {
    error: ({ input }) => `${input} has a fraction of a cent`,
  }),
  z.overwrite((dollars) => Math.round(dollars * 100)),
);

export const inDollars = moneyAnswers(z.number());
export const inCents = moneyAnswers(wholeCents);

export type Issue = z.output<typeof inDollars.issue>;
export type Ledger = z.output<typeof inDollars.ledger>;
export type Order = z.output<typeof inDollars.order>;
export type Receipt = z.output<typeof inDollars.receipts>["receipts"][number];
