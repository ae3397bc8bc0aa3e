import { type Cents, formatGroupedMoneyIn, shopCurrency } from "@keepsats/domain";
import { DAY, HOUR, MINUTE } from "./durations.ts";

/**
 * An amount for staff: `$1,234.50`, `−$12.00`, `12.00 EUR`, or `unknown`.
 *
 * @param cents in hundredths of the currency; `null` if the amount is unknown
 */
export function amountText(cents: Cents | null, currency: string = shopCurrency.code): string {
  if (cents === null) return "unknown";
  const text = formatGroupedMoneyIn(Math.abs(cents), currency);
  return cents < 0 ? `−${text}` : text;
}

/** A typed amount without its dollar sign, spaces and thousands separators. */
export function withoutGrouping(amount: string): string {
  return amount.replace(/[$\s]|,(?=\d{3}(\D|$))/g, "");
}

/** A count with its noun: `counted(1_200, "order")` → `1,200 orders`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
}

/**
 * The time between two timestamps: `5 minutes ago`. The clocks of browser and server may differ, so
 * a time in the future is `a moment ago`.
 */
export function ago(at: number, now: number): string {
  const passed = now - at;
  if (passed < MINUTE) return "a moment ago";
  if (passed < HOUR) return `${counted(Math.floor(passed / MINUTE), "minute")} ago`;
  if (passed < DAY) return `${counted(Math.floor(passed / HOUR), "hour")} ago`;
  return `${counted(Math.floor(passed / DAY), "day")} ago`;
}
