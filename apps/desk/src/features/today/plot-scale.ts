import { type Cents, currency } from "@keepsats/domain";

/** The first digits of the top of a scale. */
const beginnings = [1, 2, 3, 4, 5, 6, 8, 10];
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/**
 * The round number at the top of a scale that has room for `highest`: 0 → 2, 9 → 10, 41 → 50. Its
 * half is a whole number too.
 */
export function topOf(highest: number): number {
  let power = 1;
  while (highest > 10 * power) power *= 10;
  const tops = beginnings.map((beginning) => beginning * power);
  return tops.find((top) => top >= highest && top % 2 === 0) ?? 10 * power;
}

/** Like {@link topOf}, for amounts: the top and its half are whole dollars. */
export function topOfMoney(highest: Cents): Cents {
  return topOf(highest / 100) * 100;
}

/** A number beside a scale, as short as it can be: 1500 → `1.5K`. */
export function scaleText(value: number): string {
  return compact.format(value);
}

/** An amount beside a scale: 150000 → `$1.5K`. */
export function scaleMoneyText(cents: Cents): string {
  return `${currency.symbol}${scaleText(cents / 100)}`;
}
