import {
  type Cents,
  formatGroupedMoney,
  grantKinds,
  type JournalKind,
  journalKinds,
  keptIn,
  shopCurrency,
} from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, openEnum, secondsAsMilliseconds, signedAmountAsCents } from "./codecs.ts";
import { labelOf } from "./label-of.ts";

/** The code of the shop's currency, or the provider's name of another one. */
export const currencyCode = z.string();

/** A journal entry. Entries are only ever added. */
const entrySchema = z.object({
  kind: openEnum(journalKinds),
  id: z.string(),
  loan_id: z.nullable(z.string()),
  /** Negative for money that leaves the sum of its kind; `null` if unknown. */
  amount: z.nullable(signedAmountAsCents),
  currency: currencyCode,
  /** The time of a payout; for other entries the time of recording. */
  at: secondsAsMilliseconds,
  /** A member of staff, an API token, `provider` or `shop`. */
  by: z.string(),
  reason: z.nullable(z.string()),
  /** The refund that the entry records or reverses. */
  refund_id: z.nullable(z.string()),
  method: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  /** The payment issue that it belongs to. */
  issue_id: z.nullable(z.string()),
  /** Both entries of a granted refund have it. Servers before 1.1.0 do not send it. */
  grant: z.optional(z.nullable(openEnum(grantKinds))),
});
export type AdminEntry = z.output<typeof entrySchema>;

const otherCurrencySchema = z.object({
  currency: currencyCode,
  received: signedAmountAsCents,
  refunded: amountAsCents,
  kept: amountAsCents,
  refundable: amountAsCents,
  refund_due: amountAsCents,
});

/** The money of an order, or of a loan without an order. */
export const ledgerSchema = z.object({
  /** The payouts of its loans, net of reversals and extensions. */
  received: signedAmountAsCents,
  /** What the shop keeps: the price of a paid order, and the money that staff decided to keep. */
  kept: amountAsCents,
  /** What staff took off the price, by accepting a loan that lends less. */
  waived: amountAsCents,
  /** What staff took off the price by granting refunds. Servers before 1.1.0 do not send it. */
  granted: z.optional(amountAsCents),
  /**
   * The part of the price that the shop has: refunds of this amount may still be granted. Servers
   * before 1.1.0 do not send it.
   */
  grantable: z.optional(amountAsCents),
  written_off: amountAsCents,
  /** What must be refunded. */
  refund_due: amountAsCents,
  /** What may be refunded: the refund due, or the money of an order that awaits payment. */
  refundable: amountAsCents,
  refunded: amountAsCents,
  /** What a paid order has not received, or what was refunded although the payout was reversed. */
  missing: amountAsCents,
  /** The number of its loans that were paid out with an unknown amount. */
  unknown_amounts: z.int(),
  /** The sums in other currencies; the sums above do not include them. */
  other_currencies: z.array(otherCurrencySchema),
  /** Oldest first. */
  entries: z.array(entrySchema),
});
export type AdminLedger = z.output<typeof ledgerSchema>;

interface EntryLabels {
  readonly label: string;
  /** The label of a negative amount; the same by default. */
  readonly negative?: string;
}

const entryLabels: Readonly<Record<string, EntryLabels>> = {
  received: { label: "Received" },
  reversed: { label: "Payout reversed" },
  corrected: { label: "Amount corrected" },
  extension: { label: "Extension: undone", negative: "Extension: no new money" },
  transferred: { label: "Moved here", negative: "Moved to another order" },
  refunded: { label: "Refunded" },
  "refund-reversed": { label: "Refund did not arrive" },
  kept: { label: "Kept", negative: "Kept: undone" },
  waived: { label: "Waived", negative: "Waived: undone" },
  "written-off": { label: "Written off", negative: "Written off: undone" },
} satisfies Record<JournalKind, EntryLabels>;

/**
 * The label of a journal entry, such as `Refunded: return`; the kind itself if a newer version has
 * stored it.
 */
export function entryLabel(entry: Pick<AdminEntry, "kind" | "amount" | "grant">): string {
  const { kind, amount, grant } = entry;
  const { label, negative = label } = labelOf(entryLabels, kind, { label: kind });
  const text = amount !== null && amount < 0 ? negative : label;
  if (typeof grant !== "string") return text;
  return `${kind === "waived" ? "Refund granted" : text}: ${grant}`;
}

/** An amount in hundredths of its currency. */
export interface CurrencyAmount {
  readonly currency: string;
  readonly cents: Cents;
}

type Sum = "received" | "refunded" | "kept" | "refundable" | "refund_due";

/** The sums of a ledger that are not 0, those in the shop's currency first. */
export function ledgerSums(ledger: Omit<AdminLedger, "entries">) {
  const onlyInDollars = { waived: 0, granted: 0, written_off: 0, missing: 0 };
  const others = ledger.other_currencies.map((sums) => ({ ...onlyInDollars, ...sums }));
  const sums = [{ ...ledger, currency: shopCurrency.code }, ...others].flatMap((one) => {
    const { currency } = one;
    return [
      { label: "Received", cents: one.received, currency },
      { label: "Kept", cents: one.kept, currency },
      { label: "Waived", cents: one.waived, currency },
      { label: "Refund granted", cents: one.granted ?? 0, currency },
      { label: "Written off", cents: one.written_off, currency },
      { label: "Refunded", cents: one.refunded, currency },
      { label: "Refund due", cents: one.refund_due, currency },
      // Money that does not pay an order which still awaits its payment.
      { label: "Refundable", cents: one.refund_due === 0 ? one.refundable : 0, currency },
      { label: "Missing", cents: one.missing, currency },
    ];
  });
  return sums.filter(({ cents }) => cents !== 0);
}

/** One sum of a ledger in each currency in which it is not 0. */
export function amountsOf(
  { other_currencies, ...inDollars }: Pick<AdminLedger, Sum | "other_currencies">,
  sum: Sum,
): readonly CurrencyAmount[] {
  return [{ ...inDollars, currency: shopCurrency.code }, ...other_currencies]
    .map((sums) => ({ currency: sums.currency, cents: sums[sum] }))
    .filter(({ cents }) => cents !== 0);
}

/** The refund due once an order is cancelled: all its money except what staff decided to keep. */
export function dueOnceCancelled(
  ledger: Pick<AdminLedger, Sum | "other_currencies"> & {
    readonly entries: readonly Pick<AdminEntry, "kind" | "currency" | "amount" | "loan_id">[];
  },
): readonly CurrencyAmount[] {
  const inDollars = ledger.entries.filter((entry) => entry.currency === shopCurrency.code);
  const kept = keptIn(
    inDollars.map(({ kind, amount, loan_id }) => ({
      kind,
      amount: amount ?? 0,
      loanId: loan_id ?? undefined,
    })),
    { hasOrder: true },
  );
  const refundable = Math.max(0, ledger.received - ledger.refunded - kept);
  return amountsOf({ ...ledger, refundable }, "refundable");
}

/** One sum of a ledger in one currency. */
export function amountIn(
  ledger: Pick<AdminLedger, Sum | "other_currencies">,
  sum: Sum,
  currency: string,
): Cents {
  return amountsOf(ledger, sum).find((amount) => amount.currency === currency)?.cents ?? 0;
}

/**
 * Describes amounts and the number of unknown ones: `$45.00 and 12.00 EUR`, `$45.00 and an unknown
 * amount`; empty for none.
 */
export function amountsText(amounts: readonly CurrencyAmount[], unknown = 0): string {
  const texts = amounts.map(({ cents, currency }) => formatGroupedMoney(cents, currency));
  if (unknown === 1) texts.push("an unknown amount");
  if (unknown > 1) texts.push(`${unknown} unknown amounts`);
  return [texts.slice(0, -1).join(", "), texts.at(-1)].filter(Boolean).join(" and ");
}
