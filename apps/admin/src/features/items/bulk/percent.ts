import { type Cents, isPrice } from "@keepsats/domain";

/**
 * Parses a change in percent: `10`, `−12.5 %`, `+2,25`.
 *
 * @returns hundredths of a percent, because floating point would round some prices wrongly;
 *   `undefined` for any other text
 */
export function parsePercent(text: string): number | undefined {
  const match = /^([+\-−]?)(\d{1,5})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole, fraction = ""] = match;
  const hundredths = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return sign === "-" || sign === "−" ? -hundredths : hundredths;
}

/**
 * A price changed by a percentage, rounded to the cent, half a cent up.
 *
 * @param percent in hundredths of a percent
 * @returns `undefined` if the result is not a price: below a cent, or above the maximum
 */
export function priceAfter(price: Cents, percent: number): Cents | undefined {
  const changed = Math.round((price * (10_000 + percent)) / 10_000);
  return isPrice(changed) ? changed : undefined;
}
