import { grantKinds, journalKinds } from "@keepsats/domain";
import * as z from "zod/mini";
import { openEnum, secondsAsMilliseconds, signedAmountAsCents } from "./codecs.ts";
import { currencyCode } from "./ledger.ts";

const kindSchema = openEnum(journalKinds);

const count = z.int().check(z.minimum(0));

/**
 * An entry of the journal in the export. Every entry has a `change`, which is 0 for a decision of
 * staff; the sum of all changes is what the shop holds. Amounts are `null` if unknown.
 */
export const exportedEntrySchema = z.object({
  id: z.string(),
  /** The time of a payout; for other entries the time of recording. */
  at: secondsAsMilliseconds,
  /** `null` for money without an order. */
  order_id: z.nullable(z.string()),
  order_number: z.nullable(z.string()),
  /** As the customer wrote it; `null` without an order, or once the order is erased. */
  country: z.nullable(z.string()),
  kind: kindSchema,
  /** How the entry changes what the shop holds: negative for a refund. */
  change: z.nullable(signedAmountAsCents),
  /** What staff decided to keep, waive or write off; negative to undo that. Otherwise 0. */
  decided: z.nullable(signedAmountAsCents),
  currency: currencyCode,
  loan_id: z.nullable(z.string()),
  refund_id: z.nullable(z.string()),
  method: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** A member of staff, an API token, `provider` or `shop`. */
  by: z.string(),
  /** Why staff granted the refund; `null` for other entries. */
  grant: z.nullable(openEnum(grantKinds)),
});
export type ExportedEntry = z.output<typeof exportedEntrySchema>;

export const exportedJournalSchema = z.object({ entries: z.array(exportedEntrySchema) });

/** The sum of the entries of one kind. A decision has a `decided` amount, other kinds a `change`. */
const kindSumSchema = z.object({
  kind: kindSchema,
  entries: count,
  change: signedAmountAsCents,
  decided: signedAmountAsCents,
});
export type KindSum = z.output<typeof kindSumSchema>;

const balanceSchema = z.object({
  /** What the shop holds: received less refunded. */
  held: signedAmountAsCents,
  /** The part of it that must be refunded. */
  refund_due: signedAmountAsCents,
});

const currencyBooksSchema = z.object({
  currency: currencyCode,
  /** Before the first day of the period. */
  opening: balanceSchema,
  /** The entries of the whole period, by kind; only kinds with entries. */
  sums: z.array(kindSumSchema),
  /** After the last day of the period, or now if that day is not over. */
  closing: balanceSchema,
  /** The days or months with entries, oldest first. */
  periods: z.array(
    z.object({
      /** In the shop's time zone, such as `2026-11-23` or `2026-11`. */
      period: z.string(),
      sums: z.array(kindSumSchema),
      /** The sum of the changes. */
      change: signedAmountAsCents,
    }),
  ),
});
export type CurrencyBooks = z.output<typeof currencyBooksSchema>;

export const booksIntervals = ["day", "month"] as const;
export type BooksInterval = (typeof booksIntervals)[number];

/** The shop's currency comes first, also without entries. */
export const journalSummarySchema = z.object({ currencies: z.array(currencyBooksSchema) });
export type JournalSummary = z.output<typeof journalSummarySchema>;

/**
 * `same`: both know the loan, with the same amount. `different`: with different amounts, or the
 * provider does not report it as paid out, or its report cannot be read. `only-shop`: the provider
 * does not list it. `only-provider`: the journal does not have it.
 */
const matches = ["same", "different", "only-shop", "only-provider"] as const;
export type Match = (typeof matches)[number];

const amountSchema = z.object({
  /** `null` if unknown. */
  amount: z.nullable(signedAmountAsCents),
  currency: currencyCode,
});

const comparedLoanSchema = z.object({
  match: z.enum(matches),
  loan_id: z.string(),
  /** For a loan that only the provider has, the order that it names. */
  order_id: z.nullable(z.string()),
  order_number: z.nullable(z.string()),
  /** The time of its payout in the journal; `null` if the journal does not have it. */
  paid_at: z.nullable(secondsAsMilliseconds),
  shop: z.nullable(amountSchema),
  /** 0 for a loan that the provider does not report as paid out. */
  provider: z.nullable(amountSchema),
  /** `null` if the provider does not list the loan, or its report cannot be read. */
  provider_status: z.nullable(z.string()),
});
export type ComparedLoan = z.output<typeof comparedLoanSchema>;

/** The loans of a period in the journal, beside the provider's list. */
export const reconciliationSchema = z.object({
  /** When the provider's list was read. */
  read_at: secondsAsMilliseconds,
  counts: z.object({
    same: count,
    different: count,
    only_shop: count,
    only_provider: count,
  }),
  /** The loans that are not the same, at most 1,000. The CSV file has all. */
  differences: z.array(comparedLoanSchema),
});
export type Reconciliation = z.output<typeof reconciliationSchema>;
