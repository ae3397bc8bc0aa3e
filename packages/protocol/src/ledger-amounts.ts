import { type Cents, currency, formatGroupedMoneyIn } from "@keepsats/domain";
import type { MerchantLedger } from "./merchant-money.ts";

/** An amount in hundredths of its currency. */
export interface CurrencyAmount {
  readonly currency: string;
  readonly cents: Cents;
}

type Sum = "received" | "refunded" | "kept" | "refundable" | "refund_due";

/** One sum of a ledger in each currency that has any of it. */
export function amountsOf(
  ledger: Pick<MerchantLedger, Sum | "other_currencies">,
  sum: Sum,
): readonly CurrencyAmount[] {
  return withMoney([
    { currency: currency.code, cents: ledger[sum] },
    ...ledger.other_currencies.map((one) => ({ currency: one.currency, cents: one[sum] })),
  ]);
}

/** What must be refunded once an order is cancelled: all its money that staff do not keep. */
export function dueOnceCancelled(
  ledger: Pick<MerchantLedger, Sum | "other_currencies"> & {
    readonly entries: readonly Pick<
      MerchantLedger["entries"][number],
      "kind" | "currency" | "amount"
    >[];
  },
): readonly CurrencyAmount[] {
  const kept = ledger.entries
    .filter((entry) => entry.kind === "kept" && entry.currency === currency.code)
    .reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  const due = Math.max(0, ledger.received - ledger.refunded - Math.max(0, kept));
  const others = ledger.other_currencies.map((one) => ({
    currency: one.currency,
    cents: one.refundable,
  }));
  return withMoney([{ currency: currency.code, cents: due }, ...others]);
}

/**
 * The loans of an order that may still be paid out. A dispute before the payout, for example, does
 * not prove that a loan has ended.
 */
export function loansUnderWay<Loan extends { readonly id: string; readonly state: string }>(
  loans: readonly Loan[],
  { entries }: { readonly entries: readonly Pick<MerchantLedger["entries"][number], "loan_id">[] },
): readonly Loan[] {
  const paidOut = new Set(entries.map(({ loan_id }) => loan_id));
  return loans.filter(
    ({ id, state }) => (state === "active" || state === "unknown") && !paidOut.has(id),
  );
}

function withMoney(amounts: readonly CurrencyAmount[]): readonly CurrencyAmount[] {
  return amounts.filter(({ cents }) => cents !== 0);
}

/**
 * Amounts, and how many nobody knows: `$45.00 and 12.00 Eur`, `$45.00 and an unknown amount`; an
 * empty text for none.
 */
export function amountsText(amounts: readonly CurrencyAmount[], unknown = 0): string {
  const texts = amounts.map((one) => formatGroupedMoneyIn(one.cents, one.currency));
  if (unknown === 1) texts.push("an unknown amount");
  if (unknown > 1) texts.push(`${unknown} unknown amounts`);
  return [texts.slice(0, -1).join(", "), texts.at(-1)].filter(Boolean).join(" and ");
}
