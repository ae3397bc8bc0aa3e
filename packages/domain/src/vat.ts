import { amountFromCents, type Cents, centsFromAmount } from "./money.ts";

/** A rate of value added tax in basis points: `1900` is 19 %. 0 is exempt. Prices include the tax. */
export type VatRate = number;

/** 100 %. */
export const MAX_VAT_RATE: VatRate = 10_000;

/**
 * Parses a rate in percent, with at most two decimals: `"7.5"` → `750`.
 *
 * @returns `undefined` if it is not a rate from 0 to 100 %
 */
export function vatRateFromPercent(percent: number | string): VatRate | undefined {
  // The hundredths of a percent are basis points, as the hundredths of a dollar are cents.
  const rate = centsFromAmount(percent);
  return rate !== undefined && rate <= MAX_VAT_RATE ? rate : undefined;
}

/** The rate in percent, as in the API: `750` → `7.5`. */
export function percentFromVatRate(rate: VatRate): number {
  return amountFromCents(rate);
}

/** Example: `750` → `"7.5 %"`. */
export function formatVatRate(rate: VatRate): string {
  return `${percentFromVatRate(rate)} %`;
}

/** The tax that a price includes: gross × rate ÷ (100 % + rate), half a cent rounded up. */
export function vatIn(gross: Cents, rate: VatRate): Cents {
  // The products exceed the integers that a number holds exactly.
  const divisor = 10_000n + BigInt(rate);
  return Number((2n * BigInt(gross) * BigInt(rate) + divisor) / (2n * divisor));
}

/** The price of a line, or of several pieces of it. */
export interface TaxedAmount {
  /** `null` if the shop states no tax. */
  readonly rate: VatRate | null;
  readonly gross: Cents;
}

/** The part of an amount with one rate. */
export interface VatSum extends TaxedAmount {
  /** Included in `gross`. */
  readonly vat: Cents;
}

/**
 * The sums of a receipt by rate, the highest first. If the total differs from the sum of the lines,
 * because of shipping costs or a price reduction, the difference is spread over the rates.
 */
export function receiptSums(lines: readonly TaxedAmount[], total: Cents): VatSum[] {
  const byRate = sumByRate(lines);
  const rates = [...byRate.keys()].sort((one, other) => (other ?? -1) - (one ?? -1));
  const grosses = spread(
    total,
    rates.map((rate) => byRate.get(rate) ?? 0),
  );
  return rates.map((rate, index) => sumOfRate(rate, grosses[index] ?? 0));
}

/**
 * The sums of a credit note by rate. The amount is taken from the rates of its lines first, then
 * from the other rates. The tax is calculated from the amount of each rate. An amount that uses up
 * a rate takes all of its remaining tax, so that no tax remains after a full refund.
 *
 * @param left the sums of the receipt less the earlier credit notes
 * @param amount at most the sum of `left`
 */
export function creditSums(
  left: readonly VatSum[],
  { amount, lines }: { readonly amount: Cents; readonly lines: readonly TaxedAmount[] },
): VatSum[] {
  const byRate = sumByRate(lines);
  const wanted = left.map(({ rate, gross }) => Math.min(gross, byRate.get(rate) ?? 0));
  const ofLines = spread(Math.min(amount, sum(wanted)), wanted);
  const others = left.map(({ gross }, index) => gross - (ofLines[index] ?? 0));
  const ofOthers = spread(amount - sum(ofLines), others);
  return left.flatMap(({ rate, gross: before, vat: rest }, index) => {
    const gross = (ofLines[index] ?? 0) + (ofOthers[index] ?? 0);
    if (gross === 0) return [];
    const { vat } = sumOfRate(rate, gross);
    return [{ rate, gross, vat: gross === before ? rest : Math.min(vat, rest) }];
  });
}

/** The sums of a receipt less its credit notes. */
export function sumsLeft(receipt: readonly VatSum[], credited: readonly VatSum[]): VatSum[] {
  return receipt.map(({ rate, gross, vat }) => {
    const ofRate = credited.filter((one) => one.rate === rate);
    return {
      rate,
      gross: gross - sum(ofRate.map((one) => one.gross)),
      vat: vat - sum(ofRate.map((one) => one.vat)),
    };
  });
}

function sumOfRate(rate: VatRate | null, gross: Cents): VatSum {
  return { rate, gross, vat: rate === null ? 0 : vatIn(gross, rate) };
}

function sumByRate(amounts: readonly TaxedAmount[]): Map<VatRate | null, Cents> {
  const sums = new Map<VatRate | null, Cents>();
  for (const { rate, gross } of amounts) sums.set(rate, (sums.get(rate) ?? 0) + gross);
  return sums;
}

/**
 * Splits an amount in proportion to weights, into whole cents whose sum is the amount: the parts
 * with the largest remainders are rounded up. No part exceeds its weight if the amount does not
 * exceed their sum.
 */
function spread(amount: Cents, weights: readonly Cents[]): Cents[] {
  const whole = BigInt(sum(weights));
  if (whole === 0n) return weights.map(() => 0);
  const parts = weights.map((weight) => {
    const product = BigInt(amount) * BigInt(weight);
    return { down: Number(product / whole), remainder: Number(product % whole) };
  });
  const missing = amount - sum(parts.map(({ down }) => down));
  const largest = parts.toSorted((one, other) => other.remainder - one.remainder).slice(0, missing);
  return parts.map((part) => part.down + Number(largest.includes(part)));
}

function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}
