import { type Cents, shopCurrency } from "@keepsats/domain";

/** The first digits of the highest value of a scale. */
const firstDigits = [1, 2, 3, 4, 5, 6, 8, 10];
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** The top of a scale, a round even number at or above `highest`: 0 → 2, 9 → 10, 41 → 50. */
export function topOf(highest: number): number {
  let power = 1;
  while (highest > 10 * power) power *= 10;
  const tops = firstDigits.map((digits) => digits * power);
  return tops.find((top) => top >= highest && top % 2 === 0) ?? 10 * power;
}

/** Like {@link topOf}, for amounts: the top and half of it are whole dollars. */
export function topOfMoney(highest: Cents): Cents {
  return topOf(highest / 100) * 100;
}

/** 1500 → `1.5K`. */
export function scaleText(value: number): string {
  return compact.format(value);
}

/** 150000 → `$1.5K`. */
export function scaleMoneyText(cents: Cents): string {
  return `${shopCurrency.symbol}${scaleText(cents / 100)}`;
}
