/** The parts of the shop's answers that the model reads. Amounts become cents. */
import * as z from "zod";

const cents = z.number().transform((amount, context) => {
  const rounded = Math.round(amount * 100);
  if (Math.abs(rounded - amount * 100) > 1e-6)
    context.addIssue({ code: "custom", message: `${amount} has a fraction of a cent` });
  return rounded;
});
const entry = z
  .object({
    kind: z.string(),
    id: z.string(),
    loan_id: z.string().nullable(),
    /** `null`: unknown. */
    amount: cents.nullable(),
    currency: z.string(),
    at: z.number(),
    by: z.string(),
    refund_id: z.string().nullable(),
    issue_id: z.string().nullable(),
    grant: z.string().nullable(),
  })
  .transform(({ loan_id: loanId, refund_id: refundId, issue_id: issueId, amount, ...more }) => ({
    ...more,
    loanId,
    refundId,
    issueId,
    amount: amount ?? 0,
  }));
export type Entry = z.output<typeof entry>;

const otherCurrency = z.object({
  currency: z.string(),
  received: cents,
  refunded: cents,
  kept: cents,
  refundable: cents,
  refund_due: cents,
});
const ledger = z.object({
  received: cents,
  kept: cents,
  waived: cents,
  granted: cents,
  grantable: cents,
  written_off: cents,
  refund_due: cents,
  refundable: cents,
  refunded: cents,
  missing: cents,
  unknown_amounts: z.int(),
  other_currencies: z.array(otherCurrency),
  entries: z.array(entry),
});
export type Ledger = z.output<typeof ledger>;

const issue = z.object({
  id: z.string(),
  loan_id: z.string(),
  order_id: z.string().nullable(),
  kind: z.string(),
  detail: z.string(),
  /** `null`: unknown. */
  open_amount: cents.nullable(),
  balance: z.object({ currency: z.string() }),
  resolution: z.object({ kind: z.string() }).nullable(),
});
export type Issue = z.output<typeof issue>;

const pieces = z.object({ item_id: z.string(), quantity: z.int() });

const order = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  total_price: cents,
  items: z.array(z.object({ id: z.string(), price: cents, quantity: z.int() })),
  erased_at: z.number().nullable(),
  loans: z.array(z.object({ id: z.string(), state: z.string(), provider_status: z.string() })),
  events: z.array(
    z.object({
      kind: z.string(),
      at: z.number(),
      from: z.string().nullable(),
      to: z.string(),
      by: z.string(),
    }),
  ),
  payment_issues: z.array(issue),
  ledger,
  refund_lines: z.array(pieces.extend({ refund_id: z.string(), restocked: z.int() })),
  returns: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      lines: z.array(pieces),
      refund_id: z.string().nullable(),
    }),
  ),
});
export type Order = z.output<typeof order>;

const receipts = z.object({
  receipts: z.array(z.object({ kind: z.string(), total: cents, reduction: cents })),
});
export type Receipt = z.output<typeof receipts>["receipts"][number];

const issuePage = z.object({
  payment_issues: z.array(issue),
  next_cursor: z.string().nullable(),
});
const today = z.object({
  refunds_due: z.object({ orders: z.int(), amount: cents }),
  mail: z.object({ waiting: z.int() }),
});
const placed = z.object({ id: z.string(), key: z.string(), total_price: cents });
const items = z.object({
  items: z.array(z.object({ id: z.string(), stock: z.int().nullable() })),
});

const books = z.object({
  currencies: z.array(
    z.object({
      currency: z.string(),
      sums: z.array(z.object({ entries: z.int() })),
      closing: z.object({ held: cents, refund_due: cents }),
    }),
  ),
});

const issueDetail = issue.extend({ ledger });

export const wire = {
  order,
  receipts,
  issueDetail,
  issuePage,
  today,
  books,
  placed,
  items,
} as const;

/** Cents as the API takes them. */
export const dollars = (amount: number) => amount / 100;
