import {
  addressLines,
  type Cents,
  centsFromAmount,
  formatGroupedMoney,
  shopCurrency,
} from "@keepsats/domain";
import type { PackingOrder } from "@keepsats/protocol";

/** Durations in milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * An amount for staff: `$1,234.50`, `−$12.00`, `12.00 EUR`, or `unknown`.
 *
 * @param cents in hundredths of the currency; `null` if the amount is unknown
 */
export function amountText(cents: Cents | null, currency: string = shopCurrency.code): string {
  if (cents === null) return "unknown";
  const text = formatGroupedMoney(Math.abs(cents), currency);
  return cents < 0 ? `−${text}` : text;
}

/** Parses a typed amount, also with a dollar sign, thousands separators or a decimal comma. */
export function centsFromText(amount: string): Cents | undefined {
  return centsFromAmount(withDecimalPoint(amount.replace(/[$\s]|,(?=\d{3}(\D|$))/g, "")));
}

/** A typed number with a point for a decimal comma: `12,50` → `12.50`. */
export function withDecimalPoint(number: string): string {
  return number.trim().replace(/^(\d+),(\d{1,2})$/, "$1.$2");
}

/** A typed percentage with a decimal point and without its sign: `7,5 %` → `7.5`. */
export function withoutPercentSign(percentage: string): string {
  return withDecimalPoint(percentage.replace(/%\s*$/, ""));
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

export type ShippedOrder = Pick<PackingOrder, "customer_name" | "shipping_address">;

/** The name and the shipping address of an order as on an envelope, one line each. */
export function addressText({ customer_name, shipping_address }: ShippedOrder): string {
  return [customer_name, ...addressLines(shipping_address)].join("\n");
}

/** The loans of a cancelled order that may still be paid out; empty without any. */
export function openLoansText(loans: readonly object[]): string {
  if (loans.length === 0) return "";
  return `${counted(loans.length, "loan")} may still be paid out. Any money that arrives will be listed under Payments.`;
}
